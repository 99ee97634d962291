import { expect, it } from 'vitest';
import { failedTests } from './summary-reporter.ts';

it('as many tests failed as vitest counts, and a run that is broken without a failed test did not pass', () => {
  expect(failedTests(7, 1)).toBe(7);
  expect(failedTests(0, 0)).toBe(0);
  expect(failedTests(0, 2)).toBe(2);
});
