// The projects about which all are asked the same: a small one, a real one, and packages of which none is built.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';
import { pinned } from '../../test/campaigns/pinned.js';

const root = path.resolve(import.meta.dirname, '../..');

/** Each makes itself in a folder, and names what is asked about and what another program changes. */
export const projects = {
  small: {
    title: 'small (`demo/`)',
    symbol: 'addPrices',
    file: 'src/price.ts',
    user: 'src/receipt.ts',
    newName: 'sumPrices',
    make: (folder) => cpSync(path.join(root, 'demo'), folder, { recursive: true }),
    added: `import { addPrices } from './price';\nexport const more = addPrices;\n`,
  },
  real: {
    title: 'real (rxjs 7.8.2, 251 files)',
    symbol: 'arrRemove',
    file: 'src/internal/util/arrRemove.ts',
    user: 'src/internal/Subject.ts',
    newName: 'removeFromArray',
    async make(folder) {
      const rxjs = await pinned('rxjs', '7.8.2');
      for (const name of ['src', 'tsconfig.json'])
        cpSync(path.join(rxjs, name), path.join(folder, name), { recursive: true });
    },
    added: `import { arrRemove } from './internal/util/arrRemove';\nexport const more = arrRemove;\n`,
  },
  monorepo: {
    title: 'three packages, not built',
    symbol: 'parseId',
    file: 'packages/core/src/index.ts',
    make: makePackages,
  },
};

/** Workspaces as npm links them; each package names its built files, which are not there. */
function makePackages(folder) {
  const file = (name, text) => {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  };
  file('package.json', json({ name: 'shop', private: true, workspaces: ['packages/*'] }));
  mkdirSync(path.join(folder, 'node_modules/@shop'), { recursive: true });
  const uses = `import { parseId } from '@shop/core';\nexport const id = parseId('7');\n`;
  for (const [name, text] of [
    ['core', `export function parseId(text: string): number {\n  return Number(text);\n}\n`],
    ['orders', uses],
    ['users', uses],
  ]) {
    const own = { name: `@shop/${name}`, version: '1.0.0', main: 'dist/index.js', types: 'dist/index.d.ts' };
    file(`packages/${name}/package.json`, json(own));
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      outDir: 'dist',
      rootDir: 'src',
      declaration: true,
    };
    file(`packages/${name}/tsconfig.json`, json({ compilerOptions, include: ['src'] }));
    file(`packages/${name}/src/index.ts`, text);
    symlinkSync(`../../packages/${name}`, path.join(folder, `node_modules/@shop/${name}`));
  }
}

/** Another program writes a new file that uses the symbol, and moves a use that was there by two lines. */
export function changeFiles(folder, { added, user }) {
  writeFileSync(path.join(folder, 'src/more.ts'), added);
  const place = path.join(folder, user);
  const text = readFileSync(place, 'utf8');
  if (!text.startsWith('\n\n')) writeFileSync(place, `\n\n${text}`);
}

/** Where a symbol is defined, from 1. */
export function placeOf(folder, { file, symbol }) {
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');
  const line = lines.findIndex((text) => new RegExp(`function ${symbol}\\b`).test(text));
  return { line: line + 1, character: lines[line].indexOf(symbol) + 1 };
}

/** What the compiler's own API says with every file loaded: the places of a symbol as `file:line`, in order. */
export function knownPlaces(folder, project) {
  const { file } = project;
  if (project === projects.monorepo)
    return [
      `${file}:1`,
      ...['orders', 'users'].flatMap((name) => [1, 2].map((line) => `packages/${name}/src/index.ts:${line}`)),
    ].sort();
  const service = languageService(folder);
  const place = path.join(folder, file);
  const { line, character } = placeOf(folder, project);
  const source = service.getProgram().getSourceFile(place);
  const found = service.findReferences(place, source.getPositionOfLineAndCharacter(line - 1, character - 1));
  const places = found
    .flatMap(({ references }) => references)
    .map(({ fileName, textSpan }) => {
      const at = service.getProgram().getSourceFile(fileName).getLineAndCharacterOfPosition(textSpan.start);
      return `${path.relative(folder, fileName)}:${at.line + 1}`;
    });
  return [...new Set(places)].sort();
}

/** How many errors the compiler finds in all files. */
export function countErrors(folder) {
  const program = languageService(folder).getProgram();
  return ts.getPreEmitDiagnostics(program).length;
}

function languageService(folder) {
  const { config } = ts.readConfigFile(path.join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const names = readdirSync(path.join(folder, 'src'), { recursive: true }).filter((name) =>
    name.endsWith('.ts'),
  );
  return ts.createLanguageService({
    getScriptFileNames: () => names.map((name) => path.join(folder, 'src', name)),
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => ({ ...options, noEmit: true, types: [], skipLibCheck: true }),
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
