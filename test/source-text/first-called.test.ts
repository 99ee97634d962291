import { expect, it } from 'vitest';
import { calledFor, firstCalled, mayGiveModule } from '../../src/source-text/members/first-called.ts';

function wordAt(text: string, offset: number | undefined): string | undefined {
  return offset === undefined ? undefined : /^[\w$]+/.exec(text.slice(offset))?.[0];
}

it.each([
  ['z.string().^x()', 'string'],
  ['z.string(a, (b) => c)\n  .min(1)\n  ?.^x()', 'string'],
  ['make<T>(1).^x', 'make'],
  ['z.string().catch(1).^x', 'string'],
  ['z.^x()', undefined],
  ["(await import('a')).^x()", undefined],
  ['list[0].^x()', undefined],
  ['if (a).^x', undefined],
])('of %s, %s is called first', (marked, expected) => {
  const text = marked.replace('^', '');
  expect(wordAt(text, firstCalled(text, marked.indexOf('^')))).toBe(expected);
});

it.each([
  ['const ^one = z.string().min(1);', 'string'],
  ['const ^one: Schema = make<T>(1);', 'make'],
  ['const ^one = new Client(1);', 'Client'],
  ["const ^one = await import('a');", undefined],
  ["const ^one = require('a');", undefined],
  ['const ^one = async (a) => a;', undefined],
  ['const ^one = two;', undefined],
  ['function f(^one) {}', undefined],
])('in %s, %s is called for the value', (marked, expected) => {
  const text = marked.replace('^', '');
  expect(wordAt(text, calledFor(text, marked.indexOf('^')))).toBe(expected);
});

it.each([
  ['function ^make() { return 1; }', false],
  ["const ^lazy = () => require('./a');", true],
  ['function ^loadIt() {}', true],
  ['function ^importActual() {}', true],
])('what is declared in %s may give a module: %s', (marked, expected) => {
  expect(mayGiveModule(marked.replace('^', ''), marked.indexOf('^'))).toBe(expected);
});
