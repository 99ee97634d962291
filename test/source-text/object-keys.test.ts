import { expect, it } from 'vitest';
import { basesAfter } from '../../src/source-text/members/heritage.ts';
import { componentAround, isTypeMemberAt, keyTypeAt } from '../../src/source-text/members/object-keys.ts';

it.each([
  ['send({ a: 1, ^x: 2 })', 'send'],
  ['send?.({ a: 1, ^x: 2 })', 'send'],
  ['send?.({ a, inner: { ^x: 2 } })', 'send'],
  ['new Box({ ^x })', 'Box'],
  ['api.send<Box>(1, { inner: [{ ^x: 2 }] })', 'send'],
  ['const box: Box<T> = { a, ^x };', 'Box'],
  ['const box = { ^x: 1 } satisfies Box;', 'Box'],
  ['const box = { inner: { ^x: 1 } } as Box;', 'Box'],
  ['const box = { ^x: 1 } as const;', 'itself'],
  ['const box = { ^x: 1 };', 'itself'],
  ['export default { inner: { ^x: 1 } }', 'itself'],
  ['interface Box { ^x: number }', 'type'],
  ['type Box<T> = { a: T, ^x: number }', 'type'],
  ['function send(a: number, box: { ^x: number }) {}', 'type'],
  ['function send({ x }: { ^x: number }) {}', 'type'],
  ['send(isA ? { x } : { ^x: 1 })', 'send'],
  ['let box: Base & { ^x: number }', 'type'],
  ['type Box = A | ({ ^x: B } & C)', 'type'],
  ['type Box = Extract<A, { ^x: B }>', 'type'],
  ['return { ^x: 1 };', 'elsewhere'],
  ['return { ^x: 1 } || b;', 'elsewhere'],
  ['// The type is known\nsend({ ^x: 1 });', 'send'],
  ["send('Invalid type given', { ^x: 1 });", 'send'],
  ["import type A from 'a'\n\nsend('b', { ^x: 1 })", 'send'],
  ['if (send({ ^x: 1 }) > 0) {}', 'send'],
  ['export default class { ^x: number }', 'type'],
  ['const make = () => ({ ^x: 1 });', 'elsewhere'],
  ['send(isA ? a : { ^x: 1 })', 'send'],
  ['const box = a || { ^x: 1 };', 'elsewhere'],
  ['send(() => { ^x: 1 })', undefined],
  ['if (a) { ^x: for (;;) {} }', undefined],
  ['send(^x, 1)', undefined],
  ["import { a, ^x } from 'b';", undefined],
  ["import type A, { ^x } from 'b';", undefined],
  ['export { a, ^x };', undefined],
  ['export default { a, ^x };', 'itself'],
  ['[a, ^x, b]', undefined],
])('what the key in %s means comes from %s', (text, expected) => {
  const bare = text.replace('^', '');
  const type = keyTypeAt('a.ts', bare, text.indexOf('^'));
  const from = type && ('giver' in type ? /^\w+/.exec(bare.slice(type.giver))?.[0] : type.from);
  expect(from).toBe(expected);
});

it.each([
  ['class A {}', []],
  [
    'class A<T extends B = () => C> extends x.y.D<T, { e: F }> implements G, H<I[]> { j = K }',
    ['D', 'G', 'H'],
  ],
  ['interface A extends B, C {}', ['B', 'C']],
  ['class A extends mixed(B, C) {}', ['mixed']],
  ['class A // extends X {\n extends B {}', ['B']],
  ['type A = { a: B };\ninterface C extends D {}', []],
  ['type A = { a: B }\nexport interface C extends D {}', []],
  ['type A<T extends B> = x.C<T> & { d: E } | F\nexport type G = H extends I ? J : K', ['C', 'F']],
  ["type A = B['c'][] | 'd, e'\nlet f: G", ['B']],
  ['type A = B extends C ? D : E\n// extends F\nclass G extends H {}', ['B', 'C', 'D', 'E']],
  ['type A = (b: B) => C & D', []],
  ['type A = keyof B\ntype C = D & E', ['B']],
  ['type A = (B & C<D>) | 5\nfunction d(e: F, g: H) {}', ['B', 'C']],
  ['type A = B & ((c: C) => D)', ['B']],
  ["interface A extends Omit<B<C>, 'd'>, E {}", ['Omit', 'B', 'E']],
])('the header of %s names %j', (text, expected) => {
  const bases = basesAfter(text, text.indexOf('A') + 1);
  expect(bases.map((offset) => /^\w+/.exec(text.slice(offset))?.[0])).toEqual(expected);
});

it.each([
  ['interface A { ^x: number }', true],
  ['class A {\n  a = 1;\n  ^x() {}\n}', true],
  ['function f(options: {\n  a?: number\n  ^x?: number\n}): void {', true],
  ['type A = B & { readonly ^x: number };', true],
  ['const a = { ^x: 1 };', false],
  ['send({ ^x: 1 });', false],
  ['function f(a: number, ^x: number) {}', false],
  ['class A {\n  f() {\n    ^x(1);\n  }\n}', false],
])('the word in %s is declared as a member: %s', (text, expected) => {
  expect(isTypeMemberAt('a.ts', text.replace('^', ''), text.indexOf('^'))).toBe(expected);
});

it.each([
  ['<Fade onExited={() => close({ a })} ^in timeout={500} />', 'Fade'],
  ['<ui.Fade<T>\n  a="b > c"\n  ^in={a}\n>', 'Fade'],
  ['<div ^id="a">', undefined],
  ['<Fade in={^a} />', undefined],
  ['<Fade>^a </Fade>', undefined],
  ['a < Fade && ^b == c', undefined],
])('the attribute in %s is of %s', (marked, expected) => {
  const text = marked.replace('^', '');
  const found = componentAround('a.tsx', text, marked.indexOf('^'));
  expect(found === undefined ? undefined : /^\w+/.exec(text.slice(found))?.[0]).toBe(expected);
});
