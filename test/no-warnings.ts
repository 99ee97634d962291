import { afterEach, expect } from 'vitest';
import { warnings } from './warnings.ts';

/** RES-13: what Node warns of, such as listeners that look like a leak, fails the test during which it did. */
afterEach(() => {
  expect(warnings.splice(0)).toEqual([]);
});
