import { expect, it } from 'vitest';
import {
  isInPattern,
  isShorthand,
  isShorthandField,
  isTakenInto,
  isVariableAt,
  takenFrom,
} from '../../src/source-text/destructuring.ts';

/** A text with a mark before the word that is meant. */
function marked(text: string): [text: string, offset: number] {
  return [text.replace('^', ''), text.indexOf('^')];
}

it.each([
  ['f({ a: 1, ^x })', true],
  ['const o = {\n  ^x,\n  b,\n};', true],
  ['f(a, ^x, b)', false],
  ['[a, ^x, b]', false],
  ['f({ a: [^x, b] })', false],
  ['({ ^x: 1 })', false],
  ['export { ^x };', false],
  ["import { ^x } from 'b';", false],
  ["import a, { ^x } from 'b';", false],
  ['const { a, ^x = 1 } = b;', true],
  ['for (const { ^x } of b) {}', true],
  ['function f({ a: { ^x } }) {}', true],
  ['function f() { let a, ^x, b; }', false],
  ['function f() { g(); a, ^x }', false],
  ['function f(a, ^x = 1) {}', false],
  ['enum Kind { ^x = 1, b }', false],
  ['// Taken from the class instance\nconst { ^x } = made;', true],
  ['class A extends B<C> { ^x = 1 }', false],
  ['f(`at most ${^x}`)', false],
  ['f(<Box>{ ^x })', true],
])('%s is a property and its value: %s', (text, expected) => {
  expect(isShorthand('a.ts', ...marked(text))).toBe(expected);
});

it.each([
  ['const b = <b>{^x}</b>;', false],
  ['const b = <b>\n  {^x}\n</b>;', false],
  ['const b = () => { ^x, y };', true],
])('%s is a property and its value, among tags: %s', (text, expected) => {
  expect(isShorthand('a.tsx', ...marked(text))).toBe(expected);
});

it.each([
  ['const { ^x } = api;', 'api'],
  ['const { a = {}, ^x = 1 }: Api = await api\n', 'api'],
  ['({ ^x } = api)', 'api'],
  ['const { ^x } = api();', undefined],
  ['const { ^x } = api.part;', undefined],
  ['f({ ^x })', undefined],
])('in %s, the word is taken from %s', (text, expected) => {
  const [whole, offset] = marked(text);
  const at = takenFrom('a.ts', whole, offset);
  expect(at === undefined ? undefined : /^\w+/.exec(whole.slice(at))?.[0]).toBe(expected);
});

it.each([
  ['({ ^x } = api());', true],
  ['({ a, ^x: y } = api);', true],
  ['const { ^x } = api;', false],
  ['f({ ^x });', false],
  ['f({ ^x: 1 }) === 1', false],
])('in %s, the word is taken into a name that is declared elsewhere: %s', (text, expected) => {
  expect(isTakenInto('a.ts', ...marked(text))).toBe(expected);
});

it.each([
  ['const { a, ^x } = api();', true],
  ['const { a: { ^x }, b } = api();', true],
  ['for (const { ^x } of list) {}', true],
  ['({ ^x: y } = api);', true],
  ['list.map(({ ^x }) => 1)', true],
  ['function f({ ^x }) {}', true],
  ['f({ ^x })', false],
  ['const a = { b: { ^x: 1 } };', false],
  ['list.map(() => ({ ^x: 1 }))', false],
  ['const a = () => { return { ^x }; };', false],
  ['if (f({ ^x })) {}', false],
  ['function f({ ^x }: { x: number }) {}', true],
  ['function f({ x }: { ^x: number }) {}', false],
  ['const { x }: { ^x: number } = b;', false],
  ['const a: { ^x: number } = b;', false],
  ['f(a ? { ^x } : b)', false],
  ['const { a: { ^x } = {} } = b;', true],
])('in %s, the word is in a pattern: %s', (text, expected) => {
  expect(isInPattern('a.ts', ...marked(text))).toBe(expected);
});

it.each([
  ['let Shop { ^x, .. } = shop;', true],
  ['if let Some(model::Shop { y: _, ref mut ^x }) = shop {}', true],
  ['match shop { Shop { ^x } => x, }', true],
  ['Shop { ^x }', true],
  ['Shop { ^x: y }', false],
  ['enum Shop { ^x }', false],
  ['use shop::{^x};', false],
  ['fn f() { g({ ^x }) }', false],
])('the word in %s of Rust is a field and its value: %s', (text, expected) => {
  expect(isShorthandField('a.rs', ...marked(text))).toBe(expected);
});

it.each([
  ['const ^x = 1;', true],
  ['async function* ^x() {}', true],
  ['const f = ^x => 1;', true],
  ['function f(a: number, ^x: number) {}', true],
  ['const { a: { ^x } } = b;', true],
  ["import { ^x } from 'b';", true],
  ['interface A { ^x: number }', false],
  ['class A { ^x() {} }', false],
  ['function f({ x }: { ^x: number }) {}', false],
])('what is declared in %s is a variable: %s', (text, expected) => {
  expect(isVariableAt('a.ts', ...marked(text))).toBe(expected);
});
