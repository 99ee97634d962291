import { expect, it } from 'vitest';
import {
  declarationOf,
  exportedNameAt,
  exportedNameOf,
  exportedWords,
} from '../../src/source-text/exports.ts';

/** A text with a mark before the word that is meant. */
function marked(text: string): [text: string, offset: number] {
  return [text.replace('^', ''), text.indexOf('^')];
}

it.each([
  ['a.ts', 'export async function ^x() {}', 'x'],
  ['a.ts', 'export default class ^x {}', 'default'],
  ['a.ts', 'export default ^x;', 'default'],
  ['a.ts', 'export default ^x();', undefined],
  ['a.ts', 'export = ^x;', 'default'],
  ['a.ts', 'export {\n  y,\n  ^x };', 'x'],
  ['a.ts', 'export { ^x as y };', 'y'],
  ['a.ts', 'export { x as ^y };', 'y'],
  ['a.ts', 'export { ^x as default };', 'default'],
  ['a.js', 'exports.^x = 1;', 'x'],
  ['a.js', 'exports.y = ^x;', 'y'],
  ['a.js', 'exports.y = ^x();', undefined],
  ['a.js', 'module.exports = ^x;', 'default'],
  ['a.js', 'module.exports = class ^x {}', 'default'],
  ['a.js', 'module.exports = { y, ^x };', 'x'],
  ['a.js', 'module.exports = { y: ^x };', 'y'],
  ['a.ts', 'function ^x() {}', undefined],
  ['a.ts', 'export class A { ^x() {} }', undefined],
  ['a.rs', 'pub use inner::{a, ^x as y};', 'y'],
  ['a.rs', 'pub use inner::^x;', undefined],
  ['a.rs', 'let a = ^x as u8;', undefined],
  ['a.go', 'export { ^x }', undefined],
  ['a.py', 'def ^x(): pass', 'x'],
  ['a.py', 'class A:\n    def ^x(self): pass', undefined],
  ['a.py', 'from .b import ^x', 'x'],
  ['a.py', 'from .b import ^x as y', 'y'],
])('%s: %s is exported as %s', (file, text, expected) => {
  expect(exportedNameAt(file, ...marked(text))).toBe(expected);
});

it.each([
  ['a.ts', 'x', 'export function ^x() {}'],
  ['a.ts', 'y', 'export { ^x as y };'],
  ['a.ts', 'default', 'export default function ^x() {}'],
  ['a.ts', 'default', 'export default abstract class ^x {}'],
  ['a.ts', 'default', 'export default ^x;'],
  ['a.ts', 'default', 'export { y, ^x as default };'],
  ['a.ts', 'default', 'export = ^x;'],
  ['a.js', 'default', 'module.exports = ^x;\n'],
  ['a.js', 'default', 'module.exports = async function ^x() {}'],
  ['a.js', 'y', 'exports.y = ^x;'],
  ['a.js', 'y', 'module.exports = { y: ^x };'],
  ['a.js', 'x', 'module.exports = { y, ^x };'],
  ['a.ts', 'default', '// export default y;\nexport default ^x;'],
])('%s: what is exported as %s in %s is found', (file, name, text) => {
  const [whole, offset] = marked(text);
  expect(exportedWords(file, whole, name)).toMatchObject([{ name: 'x', offset }]);
});

it.each([
  ['default', 'export default f(x);'],
  ['default', 'export default { x };'],
  ['default', 'export default class extends x {}'],
  ['x', 'export default function x() {}'],
  ['x', 'export { x as y };'],
])('nothing is exported as %s in %s', (name, text) => {
  expect(exportedWords('a.ts', text, name)).toEqual([]);
});

it.each([
  ['declare function ^x(): void;\nexport { x as y };', 'y'],
  ['declare class ^x {}\nexport default x;', 'default'],
  ['export declare const ^x: number;', 'x'],
  ['declare class A {\n    ^x(): void;\n}\nexport { x };', undefined],
])('what %j declares is exported as %s', (text, expected) => {
  expect(exportedNameOf('a.d.ts', ...marked(text))).toBe(expected);
});

it.each([
  'export const x = y;',
  'export const x = z\n  .string()',
  'export type x = y;',
  'exports.x = y\n  .z();',
])('x is its own value in %j', (text) => {
  expect(exportedWords('a.ts', text, 'x')).toMatchObject([{ name: 'x', offset: text.indexOf('x', 8) }]);
});

it('an exported word leads to its declaration', () => {
  const [text, offset] = marked('function ^x() {}\nexport { x as y };');
  expect(declarationOf(text, { name: 'x', offset: text.lastIndexOf('x') })).toBe(offset);
  expect(declarationOf('export { x };', { name: 'x', offset: 9 })).toBe(9);
});
