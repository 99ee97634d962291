import { expect, it } from 'vitest';
import { mayBeGuessed } from '../../src/source-text/c-files.ts';

it.each(['return add(3, 4);', '#define TWICE(x) add((x), (x))', 'check(add);', 'LIMIT(add + 1)'])(
  'takes a word for what is spelt alike: %s',
  (line) => {
    const start = line.indexOf('add');
    expect(mayBeGuessed(line, start, start + 3)).toBe(true);
  },
);

it.each([
  'one->add = two;',
  'one.add(2)',
  'Sum::add(2)',
  'int UNUSED_P(add),',
  'BOTH(one, add)',
  'BOTH( add, two)',
])('does not take a word for what is spelt alike: %s', (line) => {
  const start = line.indexOf('add');
  expect(mayBeGuessed(line, start, start + 3)).toBe(false);
});
