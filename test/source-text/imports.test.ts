import { describe, expect, it } from 'vitest';
import {
  importAliasAt,
  importedModules,
  importedNameAt,
  isExportedAt,
  isKeywordArgument,
  isOfRuntime,
  isShorthand,
  modulesPassedOn,
  receiverAt,
} from '../../src/source-text/imports.ts';

/** A text with a mark before the word that is meant. */
function marked(text: string): [text: string, offset: number] {
  return [text.replace('^', ''), text.indexOf('^')];
}

describe('importedNameAt', () => {
  it.each([
    ['a.ts', "import { ^x } from '@a/b';", '@a/b', 'x'],
    ['a.ts', "import type { y, ^x } from './b.js';", './b.js', 'x'],
    ['a.ts', "import {\n  y,\n  type ^x,\n} from './b.js';", './b.js', 'x'],
    ['a.ts', "import { x as ^y } from './b.js';", './b.js', 'x'],
    ['a.ts', "import ^x, { y } from './b.js';", './b.js', 'default'],
    ['a.ts', "import * as ^x from './b.js';", './b.js', '*'],
    ['a.ts', "import {\n  // don't sort\n  ^x,\n} from './b.js';", './b.js', 'x'],
    ['a.ts', "export { ^x } from './b.js';", './b.js', 'x'],
    ['a.js', "const { y, ^x } = require('b');", 'b', 'x'],
    ['a.js', "const { x: ^y } = await import('./b.js');", './b.js', 'x'],
    ['a.py', 'from .b import y, ^x', '.b', 'x'],
    ['a.py', 'from a.b import (\n    y,\n    x as ^z,\n)', 'a.b', 'x'],
  ])('%s: %s', (file, text, module, name) => {
    expect(importedNameAt(file, ...marked(text))).toEqual({ module, name });
  });

  it.each([
    ['a.ts', "import { x } from './b.js';\n^x();"],
    ['a.ts', 'export const ^x = 1;'],
    ['a.ts', "export interface A {\n  ^x: string\n}\n\nexport { x } from './b.js'"],
    ['a.js', "let ^x\nconst a = require('./a')"],
    ['a.js', "const ^x = require('./a').y"],
    ['a.ts', "const ^x = f('./b.js');"],
    ['a.py', 'from b import y\n^x()'],
    ['a.go', 'import { ^x } from "b"'],
  ])('%s is no import: %s', (file, text) => {
    expect(importedNameAt(file, ...marked(text))).toBeUndefined();
  });

  it('takes time in proportion to the text, whatever the text', () => {
    for (const part of ['import ', 'import {', 'const ', 'export * ', 'from ', ', ', 'as '])
      for (const file of ['a.ts', 'a.py']) importedNameAt(file, `${part.repeat(50_000)} x`, 100_000);
  });
});

it.each([
  ["import { ^x as y } from 'b';", 'y'],
  ["const { ^x: y } = require('b');", 'y'],
  ["import { ^x } from 'b';", undefined],
  ["import { y as ^x } from 'b';", undefined],
])('the alias of %s is %s', (text, alias) => {
  const [whole, offset] = marked(text);
  const at = importAliasAt('a.ts', whole, offset);
  expect(at === undefined ? undefined : whole.slice(at, at + 1)).toBe(alias);
});

it.each([
  ['a.ts', 'export async function ^x() {}', true],
  ['a.ts', 'export default class ^x {}', true],
  ['a.ts', 'export {\n  y,\n  ^x };', true],
  ['a.js', 'exports.^x = 1;', true],
  ['a.js', 'module.exports = { y, ^x };', true],
  ['a.ts', 'function ^x() {}', false],
  ['a.ts', 'export class A { ^x() {} }', false],
  ['a.py', 'def ^x(): pass', true],
  ['a.py', 'class A:\n    def ^x(self): pass', false],
  ['a.py', 'from .b import ^x', true],
])('%s: %s can be imported: %s', (file, text, expected) => {
  expect(isExportedAt(file, ...marked(text))).toBe(expected);
});

it('the modules of which every name is passed on are found', () => {
  expect(modulesPassedOn('a.ts', "export * from './b.js';\nexport { x } from './c.js';")).toEqual(['./b.js']);
  expect(modulesPassedOn('a.py', 'from .b import *\nfrom .c import x')).toEqual(['.b']);
});

it('the modules that a text imports are found, each once', () => {
  const script =
    "import a from 'a';\nimport './b.js';\nexport * from 'a';\nconst c = require('c');\nimport('d');";
  expect(importedModules('a.ts', script)).toEqual(['a', './b.js', 'c', 'd']);
  expect(importedModules('a.py', 'import os, a.b as c\nfrom .d import e')).toEqual(['os', 'a.b', '.d']);
});

it.each([
  ['net.^x()', 'net'],
  ['a?.^x', 'a'],
  ['a.b.^x', undefined],
  ['f().^x', undefined],
  ['^x', undefined],
])('the receiver in %s is %s', (text, expected) => {
  const [whole, offset] = marked(text);
  const at = receiverAt(whole, offset);
  expect(at === undefined ? undefined : /^\w+/.exec(whole.slice(at))?.[0]).toBe(expected);
});

it.each([
  ['a.py', 'f(1, ^x=2)', true],
  ['a.py', 'f(\n    ^x = 2,\n)', true],
  ['a.py', 'f(^x == 2)', false],
  ['a.py', '^x = 2', false],
  ['a.ts', 'f(^x = 2)', false],
])('%s: %s names an argument: %s', (file, text, expected) => {
  expect(isKeywordArgument(file, ...marked(text))).toBe(expected);
});

it.each([
  ['f({ a: 1, ^x })', true],
  ['const o = {\n  ^x,\n  b,\n};', true],
  ['f(a, ^x, b)', false],
  ['[a, ^x, b]', false],
  ['f({ a: [^x, b] })', false],
  ['({ ^x: 1 })', false],
  ['export { ^x };', false],
  ["import { ^x } from 'b';", false],
])('%s is a property and its value: %s', (text, expected) => {
  expect(isShorthand('a.ts', ...marked(text))).toBe(expected);
});

it.each([
  ['process.env.^x', true],
  ['import.meta.env.^x', true],
  ['process\n  .env?.^x', true],
  ['a.process.^x', false],
  ['processes.^x', false],
  ['^x', false],
])('%s is of the runtime: %s', (text, expected) => {
  expect(isOfRuntime('a.ts', ...marked(text))).toBe(expected);
});
