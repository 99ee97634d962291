import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { Action } from '../../../src/core/question.ts';
import { OfferedActions } from '../../../src/tools/state/caller-state.ts';

function action(key: string, sent: unknown = {}): Action {
  const plain = { title: 'Fix', isPreferred: false, fixes: [], server: 'fake', path: '/a', request: {} };
  return { ...plain, key, sent, seen: { '/a': 'hash' } };
}

it('an action is found under its id, which is the same for the same action on the same text', () => {
  const offered = new OfferedActions();
  const id = offered.keep(action('one'));
  expect(id).toMatch(/^a-[0-9a-f]{8}$/);
  expect(offered.keep(action('one'))).toBe(id);
  expect(offered.keep({ ...action('one'), seen: { '/a': 'other' } })).not.toBe(id);
  expect(offered.find(id)).toEqual(action('one'));
});

it.each([
  [0, true],
  [1, false],
])('the number of actions is bounded, and the least recently used goes first: %i more', (more, isThere) => {
  const offered = new OfferedActions();
  const ids = Array.from({ length: limits.actions.kept + more }, (_, n) => offered.keep(action(`${n}`)));
  const [first = ''] = ids;
  if (isThere) expect(offered.find(first).key).toBe('0');
  else expect(() => offered.find(first)).toThrow(/expired/);
});

it('the bytes of actions are bounded', () => {
  const offered = new OfferedActions();
  const half = 'x'.repeat(limits.actions.bytes / 2);
  const ids = ['one', 'two', 'three'].map((key) => offered.keep(action(key, half)));
  expect(() => offered.find(ids[1] ?? '')).toThrow(/expired/);
  expect(offered.find(ids[2] ?? '').key).toBe('three');
});

it('an invalid id is told apart from one that is forgotten', () => {
  const offered = new OfferedActions();
  expect(() => offered.find('nonsense')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(() => offered.find('a-00000000')).toThrow(expect.objectContaining({ code: 'stale' }));
});
