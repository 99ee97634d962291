import { describe, expect, it } from 'vitest';
import {
  importedModules,
  importedNameAt,
  isFree,
  isKeywordArgument,
  isOfRuntime,
  isOnlyModule,
  linkAt,
  linksOf,
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
    ['a.js', "const ^x = require('b');", 'b', '*'],
    ['a.js', "const ^x = require('b').y;", 'b', 'y'],
    ['a.js', "require('b').^x();", 'b', 'x'],
    ['a.js', "({ ^x } = require('b'));", 'b', 'x'],
    ['a.js', "const { y = 1, ^x = 2 } = require('b');", 'b', 'x'],
    ['a.js', "const { y, ...^x } = require('b');", 'b', '*'],
    ['a.ts', "import ^x = require('b');", 'b', '*'],
    ['a.ts', "const ^x: typeof import('b') = await import('b');", 'b', '*'],
    ['a.ts', "import ^x, * as y from 'b';", 'b', 'default'],
    ['a.ts', "import x, * as ^y from 'b';", 'b', '*'],
    ['a.ts', "import type ^x from 'b';", 'b', 'default'],
    ['a.ts', "import ^type from 'b';", 'b', 'default'],
    ['a.ts', "import { type, ^x } from 'b';", 'b', 'x'],
    ['a.ts', "import { ^type as x } from 'b';", 'b', 'type'],
    ['a.ts', "export * as ^x from 'b';", 'b', '*'],
    ['a.ts', "export { ^default } from 'b';", 'b', 'default'],
    ['a.ts', "let a: import('b').^x;", 'b', 'x'],
    ['a.ts', "(await import('b')).^x();", 'b', 'x'],
    ['a.ts', "import('b').then((^x) => x.y());", 'b', '*'],
    ['a.ts', "import('b').then(async function ({ y, ^x }) {});", 'b', 'x'],
    ['a.ts', "const { ^x } = await vi.importActual<typeof import('b')>('b');", 'b', 'x'],
    ['a.js', "const { ^x } = jest.requireActual('b');", 'b', 'x'],
    ['a.ts', "import { ^größe } from 'b';", 'b', 'größe'],
    ['a.py', 'from .b import y, ^x', '.b', 'x'],
    ['a.py', 'from b import (\n    y,  # see (docs)\n    ^x,\n)', 'b', 'x'],
    ['a.py', 'from a.b import (\n    y,\n    x as ^z,\n)', 'a.b', 'x'],
  ])('%s: %s', (file, text, module, name) => {
    expect(importedNameAt(file, ...marked(text))).toEqual({ module, name });
  });

  it.each([
    ['a.ts', "import { x } from './b.js';\n^x();"],
    ['a.ts', 'export const ^x = 1;'],
    ['a.ts', "export interface A {\n  ^x: string\n}\n\nexport { x } from './b.js'"],
    ['a.js', "let ^x\nconst a = require('./a')"],
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
  ["import { ^x } from 'b';", 'x'],
  ["import { y as ^x } from 'b';", 'x'],
  ["const y = require('b').^x;", 'y'],
  ["require('b').^x;", undefined],
  ["export { ^x as y } from 'b';", undefined],
])('%s gives the name %s', (text, expected) => {
  const [whole, offset] = marked(text);
  const local = linkAt('a.ts', whole, offset)?.local;
  expect(local?.name).toBe(expected);
  if (local) expect(whole.startsWith(local.name, local.offset)).toBe(true);
});

it.each([
  ["export { x as y, z } from 'b';", ['y', 'z']],
  ["export * from 'b';", ['*']],
  ["export * as y from 'b';", ['y']],
  ["exports.y = require('b');", ['y']],
  ["module.exports = require('b');", ['*']],
  ["module.exports = { ...require('b') };", ['*']],
  ["import { x } from 'b';", [undefined]],
])('%s passes on %j', (text, expected) => {
  expect(linksOf('a.js', text).map(({ exported }) => exported)).toEqual(expected);
});

it.each([
  ["lazy(() => import('b'));", true],
  ["await import('b');", undefined],
  ["type A = typeof import('b');", undefined],
])('%s loads a module of which it names no part: %s', (text, expected) => {
  expect(linksOf('a.ts', text)[0]?.isWhole).toBe(expected);
});

it.each([
  ['a.ts', (list: string) => `import {${list}} from 'b';`],
  ['a.js', (list: string) => `const {${list}} = require('b');`],
  ['a.py', (list: string) => `from b import (${list})`],
])('a long list of names is read: %s', (file, statement) => {
  const names = (letter: string) =>
    Array.from({ length: 900 }, (_, index) => `\n  ${letter}${index},`).join('');
  const [text, offset] = marked(statement(`${names('a')}\n  ^x,${names('z')}\n`));
  expect(importedNameAt(file, text, offset)).toEqual({ module: 'b', name: 'x' });
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
  ['process.env.^x', true],
  ['import.meta.env.^x', true],
  ['process\n  .env?.^x', true],
  ['a.process.^x', false],
  ['processes.^x', false],
  ['^x', false],
])('%s is of the runtime: %s', (text, expected) => {
  expect(isOfRuntime('a.ts', ...marked(text))).toBe(expected);
});

it.each([
  ["import { a } from 'b'.\n   * (see c)", '/**\n   * `', '`\n   */'],
  ['import { a } (b)', '// ', ''],
])('a very long list of names may have the comment %s before each', (words, open, close) => {
  const entry = (name: string) => `  ${open}${words}${close}\n  ${name},\n`;
  const names = Array.from({ length: 200 }, (_, index) => `name${index}`);
  const text = `export {\n${names.map(entry).join('')}} from '@x/a';\n`;
  for (const name of ['name0', 'name100', 'name199'])
    expect(importedNameAt('a.ts', text, text.indexOf(`  ${name},`) + 2)).toEqual({ module: '@x/a', name });
});

it('a very long list of names of Python may have comments', () => {
  const names = Array.from({ length: 300 }, (_, index) => `name_${index}`);
  const text = `from a import (\n${names.map((name) => `    ${name},  # (see b)\n`).join('')})\n`;
  for (const name of ['name_0', 'name_150', 'name_299'])
    expect(importedNameAt('a.py', text, text.indexOf(`    ${name},`) + 4)).toEqual({ module: 'a', name });
});

it.each([
  ["import * as z from 'z';\nz.a(z.b);\nz?.c;\n", true],
  ["import * as z from 'z';\n// z is all\nconst a = 'z' + z.a;\n", true],
  ["import type * as z from 'z';\nlet a: z.A;\n", true],
  ["import * as z from 'z';\nconst f = (z) => z.a;\n", false],
  ["import * as z from 'z';\nfunction f({ z }: A) { return z.a; }\n", false],
  ["import * as z from 'z';\nf(...z);\n", false],
  ["import { z } from 'z';\nz.a;\n", false],
  ["import z from 'z';\nz.a;\n", false],
  ["import * as z from 'z';\nimport * as z from 'y';\nz.a;\n", false],
  ['const z = {};\nz.a;\n', false],
  ["async function f() {\n  const z = await import('z');\n  z.a;\n}\nz.a;\n", false],
])('whether z is a module and nothing else in %j: %s', (text, expected) => {
  expect(isOnlyModule('a.ts', text, 'z')).toBe(expected);
});

it.each([
  ['import a.z as z\nz.f()\n', true],
  ['import z\nz.f(z.g)\n', true],
  ['from a import z\nz.f()\n', false],
  ['try:\n    import z\nexcept ImportError:\n    z = None\nz.f()\n', false],
  ['import z\ndef f(z):\n    z.f()\n', false],
])('whether z is a module of Python and nothing else in %j: %s', (text, expected) => {
  expect(isOnlyModule('a.py', text, 'z')).toBe(expected);
});

it.each([
  ['f(^z.a)', true],
  ['a;\n\n  ^z.a', true],
  ['a;\n// is it.\n  ^z.a', true],
  ['a.\n  // is it\n  ^z.a', false],
  ['a.\n  ^z.a', false],
  ['a?. ^z.a', false],
  ['a . /* y */ ^z.a', false],
  ['a. // y\n  ^z.a', false],
  ['(h.  # y\n ^z.a)', false],
  ['h. \\\n ^z.a', false],
])('whether z is no member in %j: %s', (text, expected) => {
  expect(isFree(...marked(text))).toBe(expected);
});
