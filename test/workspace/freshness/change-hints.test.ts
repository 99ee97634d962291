import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { ChangeHints } from '../../../src/workspace/freshness/change-hints.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = () => vi.advanceTimersByTime(limits.resources.gap);

it('notifies every listener once of changes at about the same time, and again of later ones', () => {
  const stirrings = new ChangeHints();
  const [one, other] = [vi.fn(), vi.fn()];
  stirrings.subscribe(one);
  stirrings.subscribe(other);
  for (let time = 0; time < 1_000; time += 1) stirrings.note();
  expect(one).not.toHaveBeenCalled();
  pass();
  stirrings.note();
  pass();
  pass();
  expect([one.mock.calls.length, other.mock.calls.length]).toEqual([2, 2]);
});

it('PRC-23 has no timer without listeners, after the last has unsubscribed, and after it is closed', () => {
  const stirrings = new ChangeHints();
  stirrings.note();
  const timers = [vi.getTimerCount()];
  const leave = stirrings.subscribe(vi.fn());
  stirrings.note();
  timers.push(vi.getTimerCount());
  leave();
  timers.push(vi.getTimerCount());
  const listener = vi.fn();
  stirrings.subscribe(listener);
  stirrings.note();
  stirrings.close();
  timers.push(vi.getTimerCount());
  stirrings.note();
  pass();
  expect([timers, listener.mock.calls]).toEqual([[0, 1, 0, 0], []]);
});
