import { expect, test } from 'vitest';
import { quotedKeyAt } from '../../src/source-text/members/quoted-keys.ts';

/** Finds the word `x` that fills a string. */
function keyIn(text: string, file = 'a.ts') {
  const start = text.search(/(?<=["'`])x(?=["'`])/);
  const key = quotedKeyAt(file, text, { start, end: start + 1 });
  return key && (key.type === undefined ? 'a member' : `of ${/^\w+/.exec(text.slice(key.type))?.[0]}`);
}

test.each([
  ["type A = Box['x']", 'of Box'],
  ["type A = Box['x' | 'y']", 'of Box'],
  ['type A = Box["z" | "y" | "x"]', 'of Box'],
  ["type A = Box[\n  | 'y'\n  | 'x'\n]", 'of Box'],
  ["type A = Box['y']['x']", 'a member'],
  ["type A = Pick<Box, 'x'>", 'of Box'],
  ["type A = Omit<Box, 'y' | 'x'>", 'of Box'],
  ["type A = Omit<Box<T>, 'y' | 'x'>", 'of Box'],
  ["type A = Pick<\n  ns.Box<T, U>,\n  'y' | 'x'\n>", 'of Box'],
  ["type A = Box<T>['x']", 'of Box'],
  ["type A = Partial<Omit<ns.Box<{\n  a: T;\n  b: U<V>;\n}>, 'z' | 'x'>>", 'of Box'],
  ["type A = Pick<Box<'z', \">\">, 'x'>", 'of Box'],
  ["type A = Pick<() => Box, 'x'>", 'a member'],
  ["type A = Pick<Box | Bag, 'x'>", 'a member'],
  ["type A = Make<Other, Box<T>, 'x'>", 'a member'],
  ["type A = Omit<ns.Box, 'x'>", 'of Box'],
  ["box['x']()", 'of box'],
  ["box?.['x']", 'a member'],
  ["make()['x']", 'a member'],
  ["a.box['x']", 'of box'],
  ["const { 'x': y } = box", 'a member'],
  ["const { a, ['x']: y } = box", 'a member'],
  ["({ 'x': y } = box)", 'a member'],
])('%j names a member', (text, expected) => {
  expect(keyIn(text)).toBe(expected);
});

test.each([
  "const list = ['x']",
  "return ['x']",
  "for (const a of ['x']) {}",
  "call('x')",
  "call(a, 'x')",
  "const label = 'x'",
  "const made = { 'x': 1 }",
  "const made = { ['x']: 1 }",
  "a < b, 'x'",
  "f({ a: 1 }, 'x', 2)",
  "const a = [b<c>, 'x', d]",
  "type A = 'x' | 'y'",
  "case 'x': break",
])('%j names none', (text) => {
  expect(keyIn(text)).toBeUndefined();
});

test('only in scripts', () => {
  expect(keyIn("box['x']", 'a.py')).toBeUndefined();
  expect(keyIn("box['x']", 'a.vue')).toBe('of box');
});

test('hostile texts are read in linear time', () => {
  for (const part of ["'y' | ", '[', '<', "' ", '| ', 'a<b, ', '{', "'"])
    expect(keyIn(`${part.repeat(50_000)}'x'${part.repeat(50_000)}`)).not.toBe('of x');
});
