import { expect, test } from 'vitest';
import { baseExpressionsAfter, pythonBasesAfter } from '../../src/source-text/members/python-fields.ts';

test.each([
  ['class Box:\n    x: int\n', []],
  ['class Box(Base):', ['Base']],
  ['class Box(typing.TypedDict, total=False):', ['TypedDict']],
  ['class Box(Base[int, str], Other):', ['Base', 'Other']],
  ['class Box[T, U](Base, Other):', ['Base', 'Other']],
  ['class Box[T]:\n    pass\n', []],
  ['class Box(  # why, and (how)\n    Base,  # first\n    make(A, B),\n):', ['Base', 'make']],
  ['class Box(metaclass=Meta, **{"a": B}):', []],
])('the bases of %j', (text, bases) => {
  const found = pythonBasesAfter(text, 'class Box'.length);
  expect(found.map((one) => one.text)).toEqual(bases);
  for (const one of found) expect(text.slice(one.start, one.start + one.text.length)).toBe(one.text);
});

test.each([
  ['class Box:\n    x: int\n', []],
  ['class Box(typing.TypedDict, total=False):', ['typing.TypedDict']],
  ['class Box[T, U](Base[int, T], a.b.Other):', ['Base[int, T]', 'a.b.Other']],
  ['class Box(  # why\n    Base,  # first\n    make(A, B)[0],\n):', ['Base', 'make(A, B)[0]']],
  ['class Box(*bases, metaclass=Meta, **{"a": B}):', []],
])('the expressions of the bases of %j', (text, bases) => {
  const found = baseExpressionsAfter(text, 'class Box'.length);
  expect(found.map((one) => one.text)).toEqual(bases);
  for (const one of found) expect(text.slice(one.start, one.start + one.text.length)).toBe(one.text);
});

test('hostile headers are read in linear time', () => {
  for (const part of ['(', '[', ',', 'a.', '#', '(a,', '"', '='])
    expect(pythonBasesAfter(`class Box(${part.repeat(200_000)}`, 9).length).toBeLessThan(100_000);
});
