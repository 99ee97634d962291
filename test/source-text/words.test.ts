import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  distance,
  isMember,
  occurrences,
  touches,
  wordAround,
  wordAt,
  wordsOf,
} from '../../src/source-text/words.ts';
import { withSeed } from '../with-seed.ts';

it('finds the identifier that covers a column, its end included', () => {
  expect(wordAt('foo(bar)', 0)).toBe('foo');
  expect(wordAt('foo(bar)', 3)).toBe('foo');
  expect(wordAt('foo(bar)', 5)).toBe('bar');
  expect(wordAt('a + b', 2)).toBeUndefined();
  expect(wordAt('größe = 1', 2)).toBe('größe');
});

it('finds around a column the first word of the line that touches it, in every script', () => {
  const characters = fc.constantFrom('a', 'Z', '_', '$', '1', ' ', '.', 'é', '\u0301', '\u200d', '😀', '𝒳');
  const lines = fc.string({ unit: characters, maxLength: 12 });
  fc.assert(
    fc.property(lines, fc.integer({ min: -1, max: 26 }), (line, column) => {
      const expected = wordsOf(line).find((word) => touches(word, column));
      expect(wordAround(line, column)).toEqual(expected);
    }),
    withSeed({ numRuns: 2_000 }),
  );
});

it('finds a name only as a whole word', () => {
  expect(occurrences('run rerun running run', 'run')).toEqual([0, 18]);
  expect(occurrences('$run run', 'run')).toEqual([5]);
  expect(occurrences('$run $run2 run', 'run', { dollar: false })).toEqual([1, 11]);
  expect(occurrences('operator+ x', 'operator+')).toEqual([0]);
});

it('a number is no word, nor is a part of it', () => {
  expect(wordAt('x = 0x1f', 6)).toBeUndefined();
  expect(wordsOf('a1 = 10px').map(({ text }) => text)).toEqual(['a1']);
});

it('tells how many characters a column is away from a word', () => {
  const word = { start: 4, text: 'run' };
  expect([2, 3, 4, 6, 7, 8].map((column) => distance(word, column))).toEqual([2, 1, 0, 0, 1, 2]);
});

it.each([
  ['a.|x', true],
  ['a?.|x', true],
  ['a->|x', true],
  ['a. |x', true],
  ['...|x', false],
  ['0..|x', false],
  ['a > |x', false],
  ['|x', false],
])('whether the word in %s is a member: %s', (marked, expected) => {
  expect(isMember(marked.replace('|', ''), marked.indexOf('|'))).toBe(expected);
});
