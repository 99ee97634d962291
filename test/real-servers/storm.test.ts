import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { memoryFolder, temporaryFolder } from '../workspace/sandbox.ts';

/** A campaign has more of them. */
const count = Number(process.env.LSPAN_STORM_FILES ?? 300);
const calls = 100;

/** The versions of a file tell themselves by the line of its only declaration. */
const lines = 997;
const textOf = (index: number, version: number) =>
  `${'\n'.repeat(version % lines)}export const value_${index} = 1;\n`;

/**
 * Writes all files again and again as a checkout does, each put in its place as a whole. What it has begun and what it
 * has ended stands in memory that both see: after each call it is known which versions the file had during it.
 */
const writer = `
const { workerData: { root, count, lines, versions } } = require('node:worker_threads');
const { renameSync, writeFileSync } = require('node:fs');
const told = new Int32Array(versions);
const beside = root + '/.git/new';
for (let version = 1; Atomics.load(told, 0) === 0; version += 1) {
  for (let index = 0; index < count && Atomics.load(told, 0) === 0; index += 1) {
    writeFileSync(beside, '\\n'.repeat(version % lines) + 'export const value_' + index + ' = 1;\\n');
    Atomics.store(told, 1 + 2 * index, version);
    renameSync(beside, root + '/part/file_' + index + '.ts');
    Atomics.store(told, 2 + 2 * index, version);
  }
}
`;

it('PRC-22 while all files are changed again and again, no answer is older than its call, unless it says so', async () => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const root = temporaryFolder(
    {
      'tsconfig.json': '{}',
      '.git/HEAD': 'ref: refs/heads/main\n',
      'main.ts': numbers.map((index) => `export { value_${index} } from './part/file_${index}';\n`).join(''),
      ...Object.fromEntries(numbers.map((index) => [`part/file_${index}.ts`, textOf(index, 0)])),
    },
    memoryFolder,
  );
  const overrides = { ...patient, disabledServers: ['typescript-language-server', 'vtsls'] };
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides });
  onTestFinished(() => bridge.close({ hurried: true }));
  const definition = async (index: number) => {
    const place = { file_path: 'main.ts', line: index + 1, character: 12 };
    const { data, isError } = await bridge.call('find_definition', place);
    const { definitions: [{ line = 0 } = {}] = [], complete } = JSON.parse(JSON.stringify(data));
    return { line, isBelieved: !isError && complete === true };
  };
  expect(await definition(0)).toEqual({ line: 1, isBelieved: true });

  const told = new Int32Array(new SharedArrayBuffer(4 * (1 + 2 * count)));
  const workerData = { root, count, lines, versions: told.buffer };
  const worker = new Worker(writer, { eval: true, workerData });
  const ended = once(worker, 'exit');
  onTestFinished(() => void worker.terminate());
  const stale: object[] = [];
  let believed = 0;
  for (let call = 0; call < calls; call += 1) {
    const index = (call * 7) % count;
    const oldest = Atomics.load(told, 2 + 2 * index);
    const { line, isBelieved } = await definition(index);
    const newest = Atomics.load(told, 1 + 2 * index);
    if (!isBelieved) continue;
    believed += 1;
    if (!couldBe(line, oldest, newest)) stale.push({ call, line, oldest, newest });
  }
  Atomics.store(told, 0, 1);
  await ended;
  expect(stale).toEqual([]);
  expect(believed).toBeGreaterThan(0);
  for (const index of [0, Math.floor(count / 2), count - 1])
    expect(await definition(index)).toEqual({
      line: ((told[2 + 2 * index] ?? 0) % lines) + 1,
      isBelieved: true,
    });
}, 300_000);

/** Whether a file had its declaration on this line in any version between two. */
function couldBe(line: number, oldest: number, newest: number): boolean {
  if (newest - oldest >= lines) return true;
  for (let version = oldest; version <= newest; version += 1) if ((version % lines) + 1 === line) return true;
  return false;
}
