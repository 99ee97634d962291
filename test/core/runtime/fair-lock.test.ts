import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { FairLock } from '../../../src/core/runtime/fair-lock.ts';

const never = new AbortController().signal;

/** Notes who gets its turn, in order, of those that come in this order. */
function queue(turns: FairLock, ...kinds: readonly ('shared' | 'alone')[]) {
  const begun: number[] = [];
  for (const [index, kind] of kinds.entries())
    turns.enter(kind, never).then(
      () => begun.push(index),
      () => {},
    );
  return begun;
}

it('many share at once, and one has it alone when they have left', async () => {
  const turns = new FairLock();
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
  const turns = new FairLock();
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
  const turns = new FairLock();
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
  const turns = new FairLock();
  const leaving = new AbortController();
  queue(turns, 'alone');
  const waiting = turns.enter('alone', leaving.signal);
  turns.leave('alone');
  leaving.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(turns.isOpen).toBe(true);
});

it('who helps another does not wait behind those who want it alone', async () => {
  const turns = new FairLock();
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

/** Notes whose turn it is, in order. */
async function queueOf(turns: FairLock, waiting: readonly (readonly [string, 'shared' | 'alone'])[]) {
  const begun: string[] = [];
  for (const [index, [scope, kind]] of waiting.entries())
    turns.enter(kind, never, scope).then(
      () => begun.push(`${scope}${index}`),
      () => {},
    );
  await setImmediate();
  return begun;
}

it('RES-06: one scope that wants it alone many times lets another have its turn in between', async () => {
  const turns = new FairLock();
  const flood = Array.from({ length: 4 }, () => ['a', 'alone'] as const);
  const begun = await queueOf(turns, [...flood, ['b', 'shared'], ['b', 'alone'], ['c', 'alone']]);
  const turnsOf = ['alone', 'alone', 'shared', 'alone', 'alone', 'alone', 'alone'] as const;
  for (const [index, kind] of turnsOf.entries()) {
    turns.leave(kind, kind === 'shared' ? 'b' : undefined);
    await setImmediate();
    expect(begun).toHaveLength(Math.min(index + 2, turnsOf.length));
  }
  expect(begun).toEqual(['a0', 'a1', 'b4', 'c6', 'a2', 'b5', 'a3']);
});

it('RES-06: one scope shares it so many times at once and no more, and keeps no other waiting', async () => {
  const turns = new FairLock();
  const most = limits.questionsOfScope;
  const flood = Array.from({ length: most + 1 }, () => ['a', 'shared'] as const);
  const begun = await queueOf(turns, [...flood, ['b', 'shared']]);
  expect(begun).toHaveLength(most + 1);
  expect(begun.at(-1)).toBe(`b${most + 1}`);
  expect(turns.isOpen).toBe(true);
  turns.leave('shared', 'a');
  await setImmediate();
  expect(begun.at(-1)).toBe(`a${most}`);
});

it('who asks without a scope is not held up by how many do', async () => {
  const turns = new FairLock();
  const begun = queue(turns, ...Array.from({ length: limits.questionsOfScope * 2 }, () => 'shared' as const));
  await setImmediate();
  expect(begun).toHaveLength(limits.questionsOfScope * 2);
});

it('who wants it alone waits for those before it that wait for their own scope', async () => {
  const turns = new FairLock();
  const most = limits.questionsOfScope;
  const flood = Array.from({ length: most + 1 }, () => ['a', 'shared'] as const);
  const begun = await queueOf(turns, [...flood, ['a', 'alone']]);
  for (let left = 0; left <= most; left += 1) {
    expect(begun).not.toContain(`a${most + 1}`);
    turns.leave('shared', 'a');
    await setImmediate();
  }
  expect(begun.at(-1)).toBe(`a${most + 1}`);
});
