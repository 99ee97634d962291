import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MemoryWatch } from '../../../../src/backends/lsp/process/memory-watch.ts';
import { limits } from '../../../../src/core/limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch over processes whose memory the test sets. */
function watching() {
  const memory = new Map<number, number>();
  const looks: (readonly number[])[] = [];
  const watch = new MemoryWatch(async (pids) => {
    looks.push(pids);
    return new Map(pids.map((pid) => [pid, { memory: memory.get(pid) ?? 0, processorTime: 0 }]));
  });
  const pass = () => vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.every);
  return { memory, looks, watch, pass };
}

it('PRC-11 tells at n + 1 bytes and not at n, once, and with one look at all processes', async () => {
  const { memory, looks, watch, pass } = watching();
  const [first, second] = [vi.fn(), vi.fn()];
  watch.watch(11, 1_000, first);
  watch.watch(12, 2_000, second);
  memory.set(11, 1_000).set(12, 2_000);
  await pass();
  expect([first.mock.calls, second.mock.calls]).toEqual([[], []]);
  memory.set(11, 1_001);
  await pass();
  await pass();
  expect([first.mock.calls, second.mock.calls]).toEqual([[[1_001]], []]);
  expect(looks).toEqual([[11, 12], [11, 12], [12]]);
});

it('PRC-11 looks at nothing while nothing runs', async () => {
  const { memory, looks, watch, pass } = watching();
  expect(vi.getTimerCount()).toBe(0);
  const exceeded = vi.fn();
  const release = watch.watch(11, 1_000, exceeded);
  memory.set(11, 5_000);
  release();
  // PRC-23: not even until the next look would have been.
  expect(vi.getTimerCount()).toBe(0);
  await pass();
  expect([looks, exceeded.mock.calls]).toEqual([[], []]);
  watch.watch(13, 1_000, exceeded);
  await pass();
  expect(looks).toEqual([[13]]);
});

it('looks with one timer, also at a process that begins while it looks at nothing any more', async () => {
  let answer = () => {};
  const answered = new Promise<Map<number, { memory: number; processorTime: number }>>((resolve) => {
    answer = () => resolve(new Map());
  });
  const watch = new MemoryWatch(() => answered);
  const release = watch.watch(11, 1_000, vi.fn());
  await vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.every);
  release();
  watch.watch(12, 1_000, vi.fn());
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
});

it('a process that got the number of one that has ended is not let go with it', async () => {
  const { memory, watch, pass } = watching();
  const [old, young] = [vi.fn(), vi.fn()];
  const release = watch.watch(11, 1_000, old);
  watch.watch(11, 1_000, young);
  release();
  memory.set(11, 5_000);
  await pass();
  expect([old.mock.calls, young.mock.calls]).toEqual([[], [[5_000]]]);
});

it('remembers what it saw last, of those that it watches', async () => {
  const { memory, watch, pass } = watching();
  const release = watch.watch(11, 1_000, vi.fn());
  memory.set(11, 700);
  expect(watch.lastUseOf(11)).toBeUndefined();
  await pass();
  expect([watch.lastUseOf(11), watch.lastUseOf(12)]).toEqual([700, undefined]);
  release();
  expect(watch.lastUseOf(11)).toBeUndefined();
});

it('looks often while a server loads, and rarely afterwards', async () => {
  const { looks, watch } = watching();
  const { every, time } = limits.memoryCheckAtStart;
  watch.watch(11, 1_000, vi.fn());
  await vi.advanceTimersByTimeAsync(time);
  expect(looks).toHaveLength(time / every);
  await vi.advanceTimersByTimeAsync(10 * limits.memoryCheckEvery);
  expect(looks).toHaveLength(time / every + 10);
  watch.watch(12, 1_000, vi.fn());
  await vi.advanceTimersByTimeAsync(every);
  expect(looks.at(-1)).toEqual([11, 12]);
});

it('looks in time, however many servers start one after the other', async () => {
  const { looks, watch } = watching();
  const { every } = limits.memoryCheckAtStart;
  for (let pid = 1; pid <= 6; pid += 1) {
    watch.watch(pid, 1_000, vi.fn());
    await vi.advanceTimersByTimeAsync(every / 2);
  }
  expect(looks.map((pids) => pids.length)).toEqual([2, 4, 6]);
});

it('says after each look that it has looked, and which servers still load', async () => {
  const looked = vi.fn();
  const watch = new MemoryWatch(async () => new Map(), looked);
  const release = watch.watch(11, 1_000, vi.fn());
  await vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.every);
  expect([looked.mock.calls.length, watch.isLoading(11), watch.isLoading(12)]).toEqual([1, true, false]);
  await vi.advanceTimersByTimeAsync(limits.memoryCheckAtStart.time);
  expect(watch.isLoading(11)).toBe(false);
  release();
});
