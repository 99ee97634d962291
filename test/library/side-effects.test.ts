import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeProject } from './make-project.ts';

const library = path.resolve(import.meta.dirname, '../../dist/index.mjs');

/** The observable state of the process, before and after an action. */
const watching = `
import { readdirSync } from 'node:fs';
const counts = (emitter) => emitter.eventNames().map((name) => [String(name), emitter.listenerCount(name)]).sort();
const noticed = () => ({
  listeners: [process, process.stdin, process.stdout, process.stderr].map(counts),
  handles: process.getActiveResourcesInfo().sort(),
  descriptors: readdirSync('/proc/self/fd').length,
  environment: { ...process.env },
  globals: Object.getOwnPropertyNames(globalThis),
  directory: process.cwd(),
  umask: process.umask(),
  exitCode: process.exitCode,
});
`;

function run(script: string): { readonly before: unknown; readonly after: unknown } {
  const args = ['--input-type=module', '--eval', watching + script];
  const cwd = makeProject({ 'a.txt': 'text\n' });
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', cwd, timeout: 110_000 });
  expect([child.status, child.stderr]).toEqual([0, '']);
  const lines = child.stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

it('importing the library has no side effect on the process and writes nothing', () => {
  const { before, after } = run(`
    const before = noticed();
    await import(${JSON.stringify(library)});
    await new Promise(setImmediate);
    console.log(JSON.stringify({ before, after: noticed() }));
  `);
  expect(after).toEqual(before);
});

it('a bridge that was opened, asked and closed has no side effect either, and the program ends by itself', () => {
  const { before, after } = run(`
    const { createBridge } = await import(${JSON.stringify(library)});
    const use = async () => {
      const bridge = await createBridge({ workspace: '.', config: {} });
      await bridge.call('get_server_status', {});
      await bridge.call('find_references', { symbol_name: 'nobody' }).catch(() => {});
      await bridge.close();
    };
    await use();
    const before = noticed();
    await use();
    console.log(JSON.stringify({ before, after: noticed() }));
  `);
  expect(after).toEqual(before);
});
