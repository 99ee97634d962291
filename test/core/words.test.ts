import { expect, it } from 'vitest';
import { nearestOccurrence, occurrences, wordAt } from '../../src/core/words.ts';

it('finds the identifier that covers a column, its end included', () => {
  expect(wordAt('foo(bar)', 0)).toBe('foo');
  expect(wordAt('foo(bar)', 3)).toBe('foo');
  expect(wordAt('foo(bar)', 5)).toBe('bar');
  expect(wordAt('a + b', 2)).toBeUndefined();
  expect(wordAt('größe = 1', 2)).toBe('größe');
});

it('finds a name only as a whole word', () => {
  expect(occurrences('run rerun running run', 'run')).toEqual([0, 18]);
  expect(occurrences('$run run', 'run')).toEqual([5]);
  expect(occurrences('operator+ x', 'operator+')).toEqual([0]);
});

it('of several occurrences the nearest counts', () => {
  expect(nearestOccurrence('run run run', 'run', 5)).toBe(4);
  expect(nearestOccurrence('walk', 'run', 0)).toBeUndefined();
});
