import { expect, test } from 'vitest';
import { mixinWithParameter, namesPassedWith } from '../../src/source-text/members/mixins.ts';

test.each([
  ['const Loud = <B extends Made>(|B: B) => class extends B {};', { name: 'Loud' }],
  ['const Loud: (made: Made) => Made = (|B) => class extends B {};', { name: 'Loud' }],
  ['const Loud = |B => class extends B {};', { name: 'Loud' }],
  ['export function Quiet<B extends Made<Base>>(a: number, |B: B) {', { name: 'Quiet' }],
  ['const Quiet = function (|B) {', { name: 'Quiet' }],
  ['class A { quiet(|B = Base) {', { name: 'quiet' }],
  ['export default function (|B) {', {}],
  ['class |B {}', undefined],
  ["import { |B } from './b';", undefined],
  ['const |B = Base;', undefined],
])('the function of the parameter in %s is known', (marked, expected) => {
  expect(mixinWithParameter(marked.replace('|', ''), marked.indexOf('|'))).toEqual(expected);
});

test.each([
  ['class A extends Quiet(Loud(Base)) {}', ['Loud', 'Base']],
  ['class A extends Quiet(\n  Loud(\n    Base,\n  ),\n) {}', ['Loud', 'Base']],
  ['const A = compose(Quiet, Loud)(Base);', ['Loud', 'Base']],
  ["import { Base, Quiet } from './a';\nuse(Base);", []],
  ['// Quiet(Base)', []],
])('the names that are passed with Quiet in %s are found', (text, expected) => {
  expect(namesPassedWith(text, 'Quiet').map((at) => /^\w+/.exec(text.slice(at))?.[0])).toEqual(expected);
});
