import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { rateLimitedLog } from '../../../src/frontends/observe/rate-limited-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function calmly() {
  const lines: unknown[] = [];
  const calm = rateLimitedLog((level, event, fields) => void lines.push([level, event, fields]));
  const flood = (event: string, times: number) => {
    for (let count = 0; count < times; count += 1) calm.log('info', event, { count });
  };
  return { lines, flood, close: calm.close };
}

it('RES-11 a flood writes a limited number of lines per second and event, and then the number of dropped lines', () => {
  const { lines, flood } = calmly();
  flood('http.refused', limits.log.perSecond);
  expect(lines).toHaveLength(limits.log.perSecond);
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(limits.log.perSecond);
  flood('http.refused', limits.log.perSecond + 1);
  flood('http.failed', 1);
  expect(lines).toHaveLength(2 * limits.log.perSecond + 1);
  vi.advanceTimersByTime(1_000);
  expect(lines.at(-1)).toEqual(['info', 'log.left_out', { event: 'http.refused', lines: 1 }]);
  flood('http.refused', 1);
  expect(lines.at(-1)).toEqual(['info', 'http.refused', { count: 0 }]);
});

it('logs the remaining number on close, and keeps no timer', () => {
  const { lines, flood, close } = calmly();
  flood('http.refused', 10_000);
  close();
  expect(lines.at(-1)).toEqual([
    'info',
    'log.left_out',
    { event: 'http.refused', lines: 10_000 - limits.log.perSecond },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
