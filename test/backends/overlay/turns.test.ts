import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from '../../../src/backends/lsp/turns.ts';

const never = new AbortController().signal;

/** Notes who gets its turn, in order, of those that come in this order. */
function queue(turns: Turns, ...kinds: readonly ('shared' | 'alone')[]) {
  const begun: number[] = [];
  for (const [index, kind] of kinds.entries())
    turns.enter(kind, never).then(
      () => begun.push(index),
      () => {},
    );
  return begun;
}

it('many share at once, and one has it alone when they have left', async () => {
  const turns = new Turns();
  const begun = queue(turns, 'shared', 'shared', 'alone', 'shared');
  await setImmediate();
  expect(begun).toEqual([0, 1]);
  turns.leave('shared');
  await setImmediate();
  expect(begun).toEqual([0, 1]);
  turns.leave('shared');
  await setImmediate();
  expect(begun).toEqual([0, 1, 2]);
  turns.leave('alone');
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('turns come in the order of arrival: neither those who share nor those who are alone can keep the others out', async () => {
  const turns = new Turns();
  const begun = queue(turns, 'alone', 'shared', 'alone', 'shared', 'shared', 'alone');
  for (const [left, expected] of [
    ['alone', 2],
    ['shared', 3],
    ['alone', 5],
    ['shared', 5],
    ['shared', 6],
  ] as const) {
    turns.leave(left);
    await setImmediate();
    expect(begun).toHaveLength(expected);
  }
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

it('who gives up while it waits is no longer in the way', async () => {
  const turns = new Turns();
  const leaving = new AbortController();
  queue(turns, 'shared');
  const waiting = turns.enter('alone', leaving.signal);
  const behind = queue(turns, 'shared');
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await setImmediate();
  expect(behind).toEqual([0]);
});

it('a turn that begins at the moment in which its call ends is given back', async () => {
  const turns = new Turns();
  const leaving = new AbortController();
  queue(turns, 'alone');
  const waiting = turns.enter('alone', leaving.signal);
  turns.leave('alone');
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(turns.isOpen).toBe(true);
});

it('who helps another does not wait behind those who want it alone', async () => {
  const turns = new Turns();
  queue(turns, 'shared');
  const begun = queue(turns, 'alone');
  turns.join();
  turns.leave('shared');
  await setImmediate();
  expect(begun).toEqual([]);
  turns.leave('shared');
  await setImmediate();
  expect(begun).toEqual([0]);
});
