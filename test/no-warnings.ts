import { afterEach, expect } from 'vitest';

/** RES-13: what Node warns of, such as listeners that look like a leak, fails the test during which it did. */
const warnings: string[] = [];
process.on('warning', ({ name, message }) => void warnings.push(`${name}: ${message}`));

afterEach(() => {
  expect(warnings.splice(0)).toEqual([]);
});
