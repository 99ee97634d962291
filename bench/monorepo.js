// A workspace of many packages of which none is built: from nothing to the first complete references across packages,
// beside a raw client that opens every file. The raw client cannot follow the imports; lspan must find all uses.
//   node bench/run.js monorepo
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startLspan } from './conversation.js';
import { residentMemory, tellsFacts } from './process-facts.js';
import { startRawClient } from './raw-client.js';
import { summary, timed } from './statistics.js';
import { env, serverCommands, workFolder } from './work.js';

const packages = 60;
const filesEach = 25;
const mostMemory = 110;
/** Each package but the first uses it in so many files. */
const usersEach = 2;

/** Measures both in turn, each time from nothing. */
export async function measureMonorepo({ rounds = 5 } = {}) {
  const project = await generate();
  const times = { raw: [], lspan: [] };
  const memory = [];
  for (let round = 0; round < rounds; round += 1) {
    const runs = [
      async () => times.raw.push(await rawToAnswer(project)),
      async () => {
        const { time, resident } = await lspanToAnswer(project);
        times.lspan.push(time);
        memory.push(resident);
      },
    ];
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) await run();
  }
  const [limit, lspan] = [summary(times.raw), summary(times.lspan)];
  const what = `${packages} packages, ${packages * filesEach} files, not built: first references, ${project.count}`;
  const ratio = lspan.median / limit.median;
  const rows = [
    {
      what: `${what}, beside a raw client that opens all`,
      measured: `${lspan.median.toFixed(0)} ms, raw ${limit.median.toFixed(0)} ms: ${ratio.toFixed(2)} ×`,
      target: '≤ 1.5 ×',
      pass: ratio <= 1.5,
    },
  ];
  if (!tellsFacts) return rows;
  const resident = summary(memory).median;
  const measured = `${resident.toFixed(0)} MB`;
  return [
    ...rows,
    { what: 'memory of lspan then', measured, target: `≤ ${mostMemory} MB`, pass: resident <= mostMemory },
  ];
}

async function rawToAnswer({ folder, files }) {
  const { time, value } = await timed(async () => {
    const raw = startRawClient({ command: serverCommands.typescript, cwd: folder, env });
    const uri = pathToFileURL(folder).href;
    await raw.request('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'monorepo' }],
      capabilities: {},
    });
    raw.notify('initialized', {});
    for (const [file, text] of files) {
      if (!file.endsWith('.ts')) continue;
      const textDocument = { uri: `${uri}/${file}`, languageId: 'typescript', version: 1, text };
      raw.notify('textDocument/didOpen', { textDocument });
    }
    await raw.request('textDocument/references', {
      textDocument: { uri: `${uri}/${measured.file}` },
      position: { line: 0, character: measured.character },
      context: { includeDeclaration: true },
    });
    return raw;
  });
  await value.stop();
  return time;
}

async function lspanToAnswer({ folder, count }) {
  const { time, value } = await timed(async () => {
    const lspan = await startLspan({ folder });
    for (;;) {
      const at = {
        file_path: measured.file,
        line: 1,
        character: measured.character + 1,
        include_declaration: true,
      };
      const { total, complete } = await lspan.call('find_references', at);
      if (complete && total !== count)
        throw new Error(`Silently wrong: ${total} places instead of ${count}.`);
      if (complete) return lspan;
    }
  });
  const resident = tellsFacts ? residentMemory(value.pid) / 1e6 : 0;
  await value.stop();
  return { time, resident };
}

const measured = { file: 'packages/part-0/src/file-0.ts', character: 'export function '.length };

async function generate() {
  const folder = path.join(workFolder, 'monorepo');
  await rm(folder, { recursive: true, force: true });
  const files = new Map([
    ['package.json', json({ name: 'monorepo', private: true, workspaces: ['packages/*'] })],
    ['.gitignore', 'dist\n'],
  ]);
  for (let part = 0; part < packages; part += 1) {
    const home = `packages/part-${part}`;
    files.set(`${home}/package.json`, json(manifestOf(part)));
    files.set(`${home}/tsconfig.json`, configuration);
    for (let file = 0; file < filesEach; file += 1)
      files.set(`${home}/src/file-${file}.ts`, textOf(part, file));
    files.set(`${home}/src/index.ts`, "export * from './file-0.js';\n");
  }
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  // The declaration, its import and use in the next file, and those in each file of another package that uses it.
  return { folder, files, count: 3 + (packages - 1) * usersEach * 2 };
}

const json = (value) => `${JSON.stringify(value, undefined, 2)}\n`;

function manifestOf(part) {
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } };
  const dependencies = part === 0 ? {} : { '@monorepo/part-0': 'workspace:*' };
  return { name: `@monorepo/part-${part}`, version: '1.0.0', type: 'module', exports, dependencies };
}

const configuration = json({
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022'],
    module: 'nodenext',
    strict: true,
    outDir: 'dist',
    rootDir: 'src',
    types: [],
  },
  include: ['src'],
});

function textOf(part, file) {
  const own = `part${part}File${file}`;
  const before = file === 0 ? undefined : `part${part}File${file - 1}`;
  const uses = part > 0 && file > 0 && file <= usersEach;
  const imports = [
    ...(uses ? ["import { part0File0 } from '@monorepo/part-0';"] : []),
    ...(before ? [`import { ${before} } from './file-${file - 1}.js';`] : []),
  ];
  const sum = ['value', ...(before ? [`${before}(value)`] : []), ...(uses ? ['part0File0(value)'] : [])];
  const head = imports.length === 0 ? '' : `${imports.join('\n')}\n\n`;
  return `${head}export function ${own}(value: number): number {\n  return ${sum.join(' + ')};\n}\n\nexport interface Settings${file} {\n  readonly title: string;\n  readonly limit: number;\n}\n`;
}
