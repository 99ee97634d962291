import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { Progress } from '../../../src/frontends/mcp/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const told: { progress: number; message: string; at: number }[] = [];
  const progress = new Progress(
    'working',
    async (step) => void told.push({ ...step, at: performance.now() }),
  );
  return { told, progress };
}

test('TRN-19 a silent call is told of every few seconds, with what it waits for', () => {
  const { told, progress } = start();
  vi.advanceTimersByTime(limits.call.progressEvery);
  progress.report('the server is indexing');
  vi.advanceTimersByTime(limits.call.progressEvery * 2 + limits.progressGap);
  expect(told.map(({ message }) => message)).toEqual(['working', ...Array(3).fill('the server is indexing')]);
  expect(told.map((step) => step.progress)).toEqual([1, 2, 3, 4]);
});

test('TRN-19 at most ten a second, strictly increasing, and the last report is not lost', () => {
  const { told, progress } = start();
  for (let time = 0; time < 1000; time += 7) {
    progress.report(`at ${time}`);
    vi.advanceTimersByTime(7);
  }
  vi.advanceTimersByTime(limits.progressGap);
  expect(told.length).toBeGreaterThan(5);
  expect(told.at(-1)?.message).toBe('at 994');
  for (const [index, step] of told.entries()) {
    expect(step.progress).toBe(index + 1);
    expect(step.at - (told[index - 1]?.at ?? -100)).toBeGreaterThanOrEqual(limits.progressGap);
  }
});

test('TRN-19 nothing is told after the end', async () => {
  const { told, progress } = start();
  progress.report('first');
  progress.report('second');
  await progress.end();
  progress.report('third');
  vi.advanceTimersByTime(limits.call.progressEvery * 10);
  expect(told.map(({ message }) => message)).toEqual(['first']);
});
