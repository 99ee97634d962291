import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginCall, within } from '../../../src/core/call.ts';
import { limits } from '../../../src/core/limits.ts';
import { startTimer } from '../../../src/core/runtime/timer.ts';

const { step, late } = limits.runningTime;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A clock that goes with the virtual time, but for the gaps in which the process was stopped. */
function clock() {
  let lost = 0;
  return {
    now: () => performance.now() + lost,
    stop: (time: number) => {
      lost += time;
    },
  };
}

describe('PRC-17 a timer of running time', () => {
  it.each([1, step - 1, step, step + 1, 30_000])('is up after %d ms, not earlier', (time) => {
    const done = vi.fn();
    startTimer(time, done);
    vi.advanceTimersByTime(time - 1);
    expect(done).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(done).toHaveBeenCalledOnce();
  });

  it('gives back the time in which the process was stopped, wherever that falls', () => {
    const { now, stop } = clock();
    const done = vi.fn();
    startTimer(3 * step, done, now);
    vi.advanceTimersByTime(step / 2);
    stop(60_000);
    vi.advanceTimersByTime(3 * step);
    expect(done).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(step);
    expect(done).toHaveBeenCalledOnce();
  });

  it('counts a step that is a little late, as under load, in full', () => {
    const { now, stop } = clock();
    const done = vi.fn();
    const timer = startTimer(2 * step, done, now);
    stop(late);
    vi.advanceTimersByTime(step);
    expect(timer.left).toBe(step - late);
    stop(late);
    vi.advanceTimersByTime(step - late);
    expect(done).toHaveBeenCalledOnce();
  });

  it('that is cancelled never calls', () => {
    const done = vi.fn();
    const timer = startTimer(3 * step, done);
    vi.advanceTimersByTime(2 * step);
    timer.cancel();
    vi.advanceTimersByTime(9 * step);
    expect(done).not.toHaveBeenCalled();
  });

  it('tells what is left also between its steps', () => {
    const timer = startTimer(10 * step, () => {});
    vi.advanceTimersByTime(2.25 * step);
    expect(timer.left).toBe(7.75 * step);
    timer.cancel();
  });
});

describe('PRC-17 the deadline of a call', () => {
  it('does not depend on the clock of the wall, an hour forward or back', async () => {
    for (const leap of [3_600_000, -3_600_000]) {
      const call = beginCall({ time: 5_000 });
      vi.setSystemTime(Date.now() + leap);
      vi.advanceTimersByTime(4_999);
      expect(call.signal.aborted).toBe(false);
      expect(call.deadline - performance.now()).toBeCloseTo(1, 3);
      vi.advanceTimersByTime(1);
      expect(call.signal.reason).toMatchObject({ code: 'timed_out' });
    }
  });

  it('and a bounded wait ends when its event comes, or its time', async () => {
    await expect(within(Promise.resolve('here'), 1_000)).resolves.toBe('here');
    const waited = within(new Promise(() => {}), 1_500);
    vi.advanceTimersByTime(1_500);
    await expect(waited).resolves.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
