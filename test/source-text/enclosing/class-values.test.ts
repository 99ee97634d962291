import { expect, it } from 'vitest';
import { isPassedOn, makingsIn } from '../../../src/source-text/enclosing/class-values.ts';

function passes(file: string, line: string): boolean {
  const [before = '', after = ''] = line.split('Box');
  return isPassedOn(file, { before, after });
}

it.each([
  'kind = Box',
  'kinds = {"box": Box}',
  'kinds = {"box": Box, "bag": Bag}',
  'register(Box)',
  'register("box", Box)',
  'def make(): return Box  # the class',
  'raise Box',
  'f(kind=Box)',
  'make = found or Box',
])('%s: the class is a value', (line) => {
  expect(passes('a.py', line)).toBe(true);
});

it.each([
  'from a import Box',
  'from a import (Bag, Box',
  'isinstance(box, Box)',
  'isinstance(box, (Bag, Box))',
  'except Box',
  'with raises(Box)',
  'box: Box',
  'def f(box: Box) -> int:',
  'def f() -> Box',
  'x: list[Box]',
  'kind == Box',
  'Box.count',
  'cast(Box, x)',
])('%s: the class is no value', (line) => {
  expect(passes('a.py', line)).toBe(false);
});

it.each([
  ['a.py', 'return ^cls(1)', 1],
  ['a.py', 'return ^type(self)(1) + ^self.__class__(2)', 2],
  ['a.py', 'x.cls(1)  # cls(2)\ncls.make()', 0],
  ['a.php', 'return new ^static(1); new ^self;', 2],
  ['a.php', 'new Box; self::$a', 0],
  ['a.ts', 'new self()', 0],
])('%s: what makes an instance of its own class in %s', (file, marked, count) => {
  const text = marked.replaceAll('^', '');
  const marks = [...marked.matchAll(/\^/g)].map(({ index }, at) => index - at);
  expect(makingsIn(file, text, 0, text.length)).toEqual(marks);
  expect(marks.length).toBe(count);
});

it('a very long line is read in linear time', () => {
  for (const part of ['(', 'cls', 'type(', 'Box, ', 'x=']) {
    const text = part.repeat(100_000);
    makingsIn('a.py', text, 0, text.length);
    isPassedOn('a.py', { before: text, after: text });
  }
});
