import { expect, test } from 'vitest';
import {
  calleesOf,
  isUnpackedKey,
  mayReach,
  takesAny,
} from '../../../src/source-text/names/python-arguments.ts';

test.each([
  ['def draw(self, size): pass', ['draw']],
  ['async def draw(\n    self,\n    size: int = 1,\n): pass', ['draw']],
  ['@cached\n@other(1)\ndef draw(size=(1, 2)): pass', ['draw']],
  ['def draw[T](*, size: T): pass', ['draw']],
  ['def draw(self): size = 1', undefined],
  ['def draw(other=size): pass', undefined],
  ['size = 1', undefined],
])('the callees of %j', (text, expected) => {
  expect(calleesOf(text, 0, 'size')).toEqual(expected);
});

test('a constructor is called by its class', () => {
  const text = 'class A:\n    pass\nclass Box:\n    def __init__(self, size): pass\n';
  expect(calleesOf(text, text.indexOf('    def'), 'size')?.[0]).toBe('Box');
});

test.each([
  ['box.draw(size=1)', true],
  ['box.draw(\n    1,\n    size=1)', true],
  ['partial(box.draw, size=1)', true],
  ['Thread(target=draw, kwargs=dict(size=1))', true],
  ['wrap(size=1)', true],
  ['paint(size=1)', false],
  ['paint(redraw, size=1)', false],
])('%j may reach: %j', (text, expected) => {
  expect(mayReach(text, text.indexOf('size'), ['draw'], (callee) => callee === 'wrap')).toBe(expected);
});

test('functions that take any keywords', () => {
  const text =
    'def one(a, **options): pass\ndef two(a=2 ** 3): pass\nclass A:\n  def three(self,\n    **kw): pass\n';
  expect(['one', 'two', 'three', 'four', ''].map((name) => takesAny(text, name))).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
});

test('hostile texts are read in linear time: a quadratic search would take longer than a test may', () => {
  for (const part of ['(', 'draw(', '@a\n', 'def one(', ') ', '**a, ']) {
    const text = part.repeat(100_000);
    expect(mayReach(text, text.length, ['none'], () => false)).toBe(false);
    expect(calleesOf(text, 0, 'size')).toBeUndefined();
    expect(typeof takesAny(text, 'one')).toBe('boolean');
  }
});

test.each([
  ['draw(**{"^size": 1})', true],
  ["draw(1, **{'color': 2, '^size': 1})", true],
  ['draw({"^size": 1})', false],
  ['draw(**{"a": "^size"})', false],
  ['draw(2 ** {"a": f({"^size": 1})})', false],
])('%s: is a key that a call unpacks', (marked, expected) => {
  const start = marked.indexOf('^');
  expect(isUnpackedKey('a.py', marked.replace('^', ''), { start, end: start + 4 })).toBe(expected);
});
