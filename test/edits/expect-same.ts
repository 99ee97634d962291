import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Expects two things to be the same, at no cost where they are: for properties that are asked very often. */
export function expectSame(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual).toEqual(wanted);
}
