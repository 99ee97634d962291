import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Seen, type TrappedRepository, traceRepository } from '../evil-repo/traced-repository.ts';
import { whyNotTraced } from '../evil-repo/traced-runs.ts';
import { missingPrograms } from '../missing-programs.ts';

const untraced = whyNotTraced();
const reason = untraced === '' ? '' : ` (skipped: ${untraced})`;

const python = 'def greet(name: str) -> str:\n    return name\n\nhello = greet("you")\n';
const script =
  'import x from "lodash";\nexport function greet(name) {\n  return name;\n}\nexport const hello = greet("you");\n';
const c = 'int greet(int a) { return a; }\nint hello(void) { return greet(1); }\n';
const svelte =
  '<script lang="ts">\n  function greet(n: number) { return n; }\n  const hello = greet(1);\n</script>\n<p>{hello}</p>\n';
const canary = '#!/bin/sh\necho run > <outside>/canary\nexit 1\n';
const writing = [
  '-fmodules',
  '--serialize-diagnostics',
  '<outside>/log',
  '-fmodules-cache-path=<outside>/mod',
];
const commands = (folder: string) =>
  JSON.stringify([{ directory: folder, file: 'a.c', arguments: ['cc', ...writing, '-c', 'a.c'] }]);

/** A trap, alone in its repository, and what it would have made the servers do. */
interface Case extends Omit<TrappedRepository, 'servers'> {
  readonly servers: string;
}

const cases: Readonly<Record<string, Case>> = {
  'an interpreter in .venv, where nothing is configured': {
    servers: 'basedpyright',
    asked: ['a.py'],
    files: { 'a.py': python, '.venv/bin/python': canary, '.venv/bin/python3': canary },
  },
  'an interpreter in .venv, where two servers share the questions': {
    servers: 'pyright+basedpyright',
    asked: ['a.py'],
    files: { 'a.py': python, '.venv/bin/python': canary, '.venv/pyvenv.cfg': 'home = /usr/bin\n' },
  },
  'compiler options in .clangd that write files': {
    servers: 'clangd',
    asked: ['a.c'],
    files: { 'a.c': c, '.clangd': `CompileFlags:\n  Add: [${writing.join(', ')}]\n` },
  },
  'compiler options in compile_commands.json that write files, where nothing may be changed': {
    servers: 'clangd',
    asked: ['a.c'],
    flags: ['--read-only'],
    files: { 'a.c': c, 'compile_commands.json': commands('<root>') },
  },
  'compiler options in a database below the root': {
    servers: 'clangd',
    asked: ['sub/a.c'],
    files: { 'sub/a.c': c, 'sub/build/compile_commands.json': commands('<root>/sub') },
  },
  'compiler options in compile_flags.txt below the root': {
    servers: 'clangd',
    asked: ['sub/a.c'],
    files: { 'sub/a.c': c, 'sub/compile_flags.txt': `${writing.join('\n')}\n` },
  },
  'compiler options in .ccls': {
    servers: 'ccls',
    asked: ['a.c'],
    files: { 'a.c': c, '.ccls': `clang\n${writing.join('\n')}\n` },
  },
  'a dependency whose types npm would install': {
    servers: 'typescript',
    asked: ['a.js'],
    files: { 'a.js': script, 'package.json': '{ "dependencies": { "lodash": "1" } }' },
  },
  ...Object.fromEntries(
    ['typescript', 'typescript-language-server', 'vtsls', 'svelte'].map((servers) => [
      `a jsconfig.json that has npm install types, before ${servers}`,
      {
        servers,
        asked: [servers === 'svelte' ? 'a.svelte' : 'a.js'],
        files: {
          'a.js': script,
          'a.svelte': `<script>\n${script}</script>\n`,
          'jsconfig.json': '{ "typeAcquisition": { "enable": true, "include": ["jquery"] } }',
        },
      },
    ]),
  ),
  'a node_modules into which declarations could be written': {
    servers: 'svelte',
    asked: ['a.svelte'],
    files: { 'a.svelte': svelte, 'node_modules/x/package.json': '{}' },
  },
  'a node_modules that leads out of the repository': {
    servers: 'svelte',
    asked: ['a.svelte'],
    flags: ['--read-only'],
    prepare: (root, outside) => symlinkSync(outside, `${root}/node_modules`),
    files: { 'a.svelte': svelte },
  },
  'a link over which a server reads the rest of the disk': {
    servers: 'some-sass-language-server',
    asked: ['a.scss'],
    prepare: (root, outside) => {
      writeFileSync(`${outside}/secret.scss`, '$secret: red;\n');
      symlinkSync(outside, `${root}/x`);
    },
    files: { 'a.scss': '$greet: red;\n.hello { color: $greet; }\n' },
  },
};

describe.skipIf(untraced !== '')(`SUP-01 INF-06 one trap in a repository${reason}`, () => {
  for (const [trap, { servers, ...rest }] of Object.entries(cases)) {
    const missing = missingPrograms(servers);
    const why = missing === '' ? '' : ` (skipped: ${missing})`;
    it.skipIf(missing !== '')(`${trap}: nothing runs, is written or connects${why}`, patience, async () => {
      expectNothing(await traceRepository({ servers: servers.split('+'), ...rest }));
    });
  }

  it('an image whose tags a registry knows is completed without the network', patience, async () => {
    const complete: TrappedRepository['also'] = async (lspan) => {
      const at = { file_path: 'Dockerfile', line: 1, character: 13 };
      expect(await lspan.call('get_completions', at)).toMatchObject({ isError: false });
    };
    const files = { Dockerfile: 'FROM alpine:3\n' };
    expectNothing(
      await traceRepository({ servers: ['dockerfile-language-server'], asked: [], files, also: complete }),
    );
  });

  it('an address is not fetched for the preview of an action or a completion', patience, async () => {
    const [port, connected] = await listen();
    const files = {
      'deno.json': '{}',
      'a.ts': `import x from "http://127.0.0.1:${port}/x.ts";\nimport y from "npm:cha";\nimport z from "jsr:@std/pa";\nx + y + z;\n`,
    };
    const also: TrappedRepository['also'] = async (lspan) => {
      for (const [line, character] of [
        [1, 38],
        [2, 23],
        [3, 26],
      ])
        await lspan.call('get_completions', { file_path: 'a.ts', line, character });
      const { data } = await lspan.call('get_code_actions', { file_path: 'a.ts', line: 1 });
      const { actions } = offered.parse(data);
      expect(actions.map(({ title }) => title)).toContain('Cache all dependencies of this module.');
      for (const { action_id } of actions) await lspan.call('get_code_actions', { action_id });
    };
    const seen = await traceRepository({ servers: ['deno'], asked: [], files, also });
    // Its proxy is an address at which nothing listens.
    expect(seen.connections.filter((line) => !/htons\(9\).*127\.0\.0\.1/.test(line))).toEqual([]);
    expect(connected()).toBe(0);
    expectNothing({ ...seen, connections: [] });
  });
});

const patience = { timeout: 240_000 };
const offered = z.object({ actions: z.array(z.object({ action_id: z.string(), title: z.string() })) });

/** Servers run themselves, their own parts, and the interpreter of the system. */
function expectNothing({ root, outside, runs, connections, writes, opened }: Seen): void {
  const strange = runs.filter(({ file, words, succeeded }) => succeeded && !isExpected(file, words));
  expect(strange.map(({ words }) => words)).toEqual([]);
  expect(runs.filter(({ file }) => file.startsWith(`${root}/`))).toEqual([]);
  expect(connections).toEqual([]);
  expect(writes).toEqual([]);
  expect(opened.filter((file) => file.startsWith(outside))).toEqual([]);
}

function isExpected(file: string, words: string): boolean {
  if (/\bnpm\b/.test(words.replace(/node_modules\/\S*/g, ''))) return false;
  return /^\/(usr\/)?(local\/)?bin\/(sh|dash|node|grep|rm|python3[.\d]*|clangd(-\d+)?|ccls)$|\/node_modules\/@/.test(
    file,
  );
}

/** A server on this machine that counts who connects. */
async function listen(): Promise<readonly [number, () => number]> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return [port, () => count];
}
