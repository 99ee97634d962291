import { expect, it } from 'vitest';
import { mayBeMeant } from '../../src/source-text/c-files.ts';

it.each([
  ['return add(3, 4);', 'add', false],
  ['#define TWICE(x) add((x), (x))', 'add', false],
  ['one->base = two;', 'base', true],
  ['one.base', 'base', true],
  ['check(base);', 'base', false],
  ['LIMIT(base + 1)', 'base', false],
])('takes a word for what it is spelt like: %s', (line, word, isMember) => {
  const start = line.indexOf(word);
  expect(mayBeMeant(line, { start, end: start + word.length, isMember })).toBe(true);
});

it.each([
  ['int handler(const char *base) {', 'base', true],
  ['one->base = two;', 'base', false],
  ['const char *UNUSED_P(base),', 'base', false],
  ['BOTH(one, base)', 'base', false],
  ['BOTH( base, two)', 'base', false],
])('does not take a word for what it is spelt like: %s', (line, word, isMember) => {
  const start = line.indexOf(word);
  expect(mayBeMeant(line, { start, end: start + word.length, isMember })).toBe(false);
});
