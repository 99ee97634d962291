import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

const numbers = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, '0'));

it('a folder of 20 TypeScript modules is moved, and the project compiles as before, also when that is undone', async () => {
  const files = typescriptProject();
  const root = temporaryFolder(files);
  expect(compile(root)).toBe('');
  const bridge = await open(root, 'typescript');
  const { data, text } = await move(bridge, 'src/old', 'src/far/new');
  expect(data, text).toMatchObject({
    complete: true,
    edit: { introduced: [], fixed: [], settled: true },
    uncovered: [{ file_path: 'README.md', line: 1 }],
  });
  expect(compile(root)).toBe('');
  expect(readFileSync(path.join(root, 'src/use-01.ts'), 'utf8')).toBe(
    "// grüße 🎉 ./old/m01\r\nimport { m01 } from './far/new/m01.js';\r\nexport const used = m01;\r\n",
  );
  const undone = await bridge.call('undo_edit', {});
  expect(undone.isError, undone.text).toBe(false);
  for (const [file, content] of Object.entries(files))
    expect(readFileSync(path.join(root, file), 'utf8')).toBe(content);
  expect(compile(root)).toBe('');
}, 120_000);

it('a package of 20 Python modules is renamed, and a type checker finds no more than before', async () => {
  const root = temporaryFolder(pythonProject());
  expect(checkTypes(root)).toMatch(/^0 errors/m);
  const bridge = await open(root, 'basedpyright');
  const { data, text } = await move(bridge, 'app/old', 'app/new');
  expect(data, text).toMatchObject({ complete: true, edit: { settled: true } });
  expect(JSON.stringify(data)).not.toContain('"severity":"error"');
  expect(data).not.toHaveProperty('uncovered');
  expect(checkTypes(root)).toMatch(/^0 errors/m);
}, 120_000);

function move(bridge: Bridge, old_path: string, new_path: string) {
  return bridge.call('rename_file', { old_path, new_path, dry_run: false });
}

/** Modules that import each other and what is beside their folder, and are imported from outside in many ways. */
function typescriptProject(): Record<string, string> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], module: 'esnext' },
    ...{ moduleResolution: 'bundler', types: [], allowImportingTsExtensions: true },
  };
  const files: Record<string, string> = {
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'README.md': 'See [the first](src/old/m00.ts).\n',
    'src/shared.ts': 'export const shared: number = 1;\n',
    'src/old/index.ts': numbers.map((one) => `export * from './m${one}';\n`).join(''),
  };
  const ways: readonly ((one: string) => string)[] = [
    (one) => `import { m${one} } from './old/m${one}';\nexport const used: number = m${one};\n`,
    (one) =>
      `// grüße 🎉 ./old/m${one}\r\nimport { m${one} } from './old/m${one}.js';\r\nexport const used = m${one};\r\n`,
    (one) => `export const used = async () => (await import('./old/m${one}.ts')).m${one};\n`,
    (one) =>
      `import { m${one} } from './old';\nexport const used: typeof import('./old/index').m${one} = m${one};\n`,
    (one) => `export { m${one} as used } from './old/m${one}';\n`,
  ];
  for (const [index, one] of numbers.entries()) {
    const before = numbers[index - 1];
    const neighbour = before ? `import { m${before} } from './m${before}';\n` : '';
    files[`src/old/m${one}.ts`] =
      `import { shared } from '../shared';\n${neighbour}export const m${one}: number = shared${before ? ` + m${before}` : ''};\n`;
    files[`src/use-${one}.ts`] = ways[index % ways.length]?.(one) ?? '';
  }
  return files;
}

/** The same; what a server of Python changes is absolute imports. */
function pythonProject(): Record<string, string> {
  const files: Record<string, string> = {
    'app/__init__.py': '',
    'app/shared.py': 'shared: int = 1\n',
    'app/old/__init__.py': 'from .m00 import m00 as m00\n',
    'main.py': 'import app.old.m03\nfrom app.old import m00\n\nprint(app.old.m03.m03, m00)\n',
  };
  for (const [index, one] of numbers.entries()) {
    const before = numbers[index - 1];
    const neighbour = before ? `from .m${before} import m${before}\n` : '';
    files[`app/old/m${one}.py`] =
      `from app.shared import shared\n${neighbour}\nm${one}: int = shared${before ? ` + m${before}` : ''}\n`;
    files[`app/use_${one}.py`] =
      index % 2 === 0
        ? `from app.old.m${one} import m${one}\n\nused: int = m${one}\n`
        : `# grüße 🎉 app.old\r\nimport app.old.m${one}\r\n\r\nused: int = app.old.m${one}.m${one}\r\n`;
  }
  return files;
}

function compile(root: string): string {
  const folder = path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
  return run(path.join(folder, 'bin/tsc'), root, ['-p', root]);
}

function checkTypes(root: string): string {
  const folder = path.dirname(createRequire(import.meta.url).resolve('pyright/package.json'));
  return run(path.join(folder, 'index.js'), root, ['.']);
}

function run(program: string, cwd: string, words: readonly string[]): string {
  return spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', cwd }).stdout;
}

async function open(root: string, server: string): Promise<Bridge> {
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: { ...patient, disabledServers: servers.map(({ id }) => id).filter((id) => id !== server) },
    environment: { ...process.env, XDG_STATE_HOME: temporaryFolder() },
  });
  onTestFinished(() => bridge.close({ hurried: true }));
  return bridge;
}
