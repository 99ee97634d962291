import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Outcome } from '../../src/tools/run/tool.ts';
import { openTestBridge, temporaryFolder } from '../test-bridge.ts';

const secret = 'SECRET of somebody else';
const start = { line: 0, character: 9 };
const place = { uri: 'file://<root>/d/x.txt', range: { start, end: { line: 0, character: 14 } } };

/** Every question is answered with a place in the folder that is being swapped; the server itself reads nothing. */
const rules = [
  { on: { method: 'textDocument/definition' }, do: [{ replyValue: [place] }] },
  { on: { method: 'textDocument/references' }, do: [{ replyValue: [place] }] },
  { on: { method: 'textDocument/hover' }, do: [{ replyValue: { contents: 'words' } }] },
  { on: { method: 'textDocument/documentSymbol' }, do: [{ replyValue: [] }] },
];

it('BND-06 no tool shows or sends on anything from outside while a folder is swapped for a link at full speed', {
  timeout: 120_000,
}, async () => {
  const files = { 'a.txt': 'function alpha\n', 'd/x.txt': 'function alpha\n' };
  const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
  const swapped = swapFolder(bridge.root, temporaryFolder('lspan-outside-'));
  const outcomes: Outcome[] = [];
  while (outcomes.length < 200 || (await swapped()) < 1_000) {
    for (const [tool, input] of [
      ['find_definition', { file_path: 'a.txt', line: 1, character: 10 }],
      ['find_references', { file_path: 'd/x.txt', line: 1, character: 10 }],
      ['get_hover', { file_path: 'd/x.txt', line: 1, character: 10 }],
    ] as const)
      outcomes.push(await bridge.call(tool, input));
  }
  const told = outcomes.map(({ text, data }) => text + JSON.stringify(data));
  expect(told.filter((each) => each.includes('SECRET'))).toEqual([]);
  expect(told.some((each) => each.includes('function alpha'))).toBe(true);
  const sent = bridge.traced.all.filter(({ direction }) => direction === 'to_server');
  expect(sent.filter(({ message }) => JSON.stringify(message).includes('SECRET'))).toEqual([]);
  expect(sent.some(({ message }) => JSON.stringify(message).includes('function alpha'))).toBe(true);
});

/** Swaps the folder `d` of a root for a link to another and back, in a process of its own; gives how often so far. */
function swapFolder(root: string, outside: string): () => Promise<number> {
  writeFileSync(path.join(outside, 'x.txt'), secret);
  const program = path.join(import.meta.dirname, '../workspace/folder-swapper.js');
  const swapper = fork(program, [outside], { cwd: root });
  onTestFinished(async () => {
    swapper.disconnect();
    if (swapper.exitCode === null) await once(swapper, 'exit');
  });
  return async () => {
    swapper.send('count');
    const [count] = await once(swapper, 'message');
    return Number(count);
  };
}
