import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBuilt } from '../evil-repo/built-lspan.ts';
import { serveLspan } from '../served-lspan.ts';
import { openTestBridge, temporaryFolder } from '../test-bridge.ts';
import { writeFiles } from '../workspace/sandbox.ts';

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

it('INF-10 what lspan writes is for its user alone, also without a umask', async () => {
  const world = temporaryFolder('lspan-umask-');
  const at = (name: string) => path.join(world, name);
  for (const name of ['work', 'tmp', 'cache', 'traces']) mkdirSync(at(name));
  writeFiles(at('work'), {
    'a.ts': 'export const a = 1;\n',
    'schema.prisma': 'model A {\n  id Int @id\n}\n',
  });
  const lspan = await openBuilt({
    root: at('work'),
    servers: ['typescript', 'prisma-language-server'],
    deadline: 60,
    before: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh'],
    environment: { TMPDIR: at('tmp'), XDG_CACHE_HOME: at('cache') },
    flags: ['--trace', at('traces/trace.jsonl')],
  });
  onTestFinished(() => lspan.close());
  for (const file_path of ['a.ts', 'schema.prisma']) await lspan.call('get_document_symbols', { file_path });
  const written = ['tmp', 'cache', 'traces'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(at(folder), name)),
  );
  // What a server writes in its own folder, which nobody else can enter, has the modes that it chose.
  const ours = written.filter(
    (file) =>
      /lspan|trace\.jsonl/.test(path.relative(world, file)) && !/\/confined\/[^/]+\/home\//.test(file),
  );
  expect(ours.some((file) => file.includes('/cache/lspan/'))).toBe(true);
  expect(ours.some((file) => file.includes('/tmp/lspan-'))).toBe(true);
  expect(ours.map(modeOf).filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  expect(readFileSync(at('traces/trace.jsonl'), 'utf8')).toContain('textDocument/documentSymbol');
});

it('INF-10 TRN-33 so is what it writes when it is served', async () => {
  const lspan = await serveLspan({ through: ['/bin/sh', '-c', 'umask 000; exec "$@"', 'sh'] });
  await lspan.end();
  const written = [lspan.own, lspan.temporary].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const ours = written.filter((file) => /lspan\/|trace\.jsonl$/.test(path.relative(lspan.own, file)));
  expect(ours.map((file) => path.basename(file))).toEqual(expect.arrayContaining(['token', 'trace.jsonl']));
  expect(ours.map(modeOf).filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
});

function modeOf(file: string) {
  return { file, mode: statSync(file).mode & 0o777 };
}

it('INF-12 a fatal error of the engine leaves no report and no picture of the memory', () => {
  const folder = temporaryFolder('lspan-fatal-');
  writeFileSync(path.join(folder, 'a.ts'), 'export const a = 1;\n');
  const words = ['--max-old-space-size=4', '--stack-trace-limit=0', bin, 'call', 'get_server_status', '{}'];
  const { signal, status, stderr } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -c 0; exec "$@"', 'sh', process.execPath, ...words, '--workspace', folder],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stderr).toContain('FATAL ERROR');
  expect(signal ?? status).not.toBe(0);
  expect(readdirSync(folder)).toEqual(['a.ts']);
});

it('INF-12 what the user had Node write about lspan is not asked of the servers', async () => {
  const file = path.join(temporaryFolder('lspan-environment-'), 'noted');
  const before = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = '--report-on-fatalerror --heapsnapshot-signal=SIGUSR2';
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  });
  const bridge = await openTestBridge({
    servers: { fake: { lives: [{ rules: [{ on: { start: true }, do: [{ reportEnv: { file } }] }] }] } },
  });
  await bridge.call('get_document_symbols', { file_path: 'a.txt' });
  const { env }: { env: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, 'utf8'));
  expect(Object.keys(env).filter((name) => /^NODE_/.test(name))).toEqual([]);
});
