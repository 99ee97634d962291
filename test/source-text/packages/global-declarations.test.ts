import { expect, it } from 'vitest';
import { globalsOf, importsOfAmbient } from '../../../src/source-text/packages/global-declarations.ts';

it.each([
  ['a.d.ts', 'declare const VERSION: string;', 'all'],
  ['a.js', 'function boot() {}\nimport("./lazy"); import.meta;', 'all'],
  ['a.ts', '// import x\n/*\nexport {}\n*/\nconst s = `\nexport {}`;', 'all'],
  ['a.d.ts', "declare module '*.vue' {\n  import { C } from 'vue';\n  export default C;\n}", 'all'],
  ['a.d.ts', 'export {};\ndeclare global { var bar: 1 }', 'declared'],
  ['a.ts', "import 'vue';\ndeclare module 'vue' { interface X {} }", 'declared'],
  ['a.ts', 'export const a = 1; // declare global', undefined],
  ['a.mts', 'const a = 1;', undefined],
  ['a.js', 'const fs = require("fs");', undefined],
  ['a.cjs', 'module.exports = { a: 1 };', undefined],
  ['a.ts', 'exports.a; require("x");', 'all'],
  ['a.py', 'VERSION = 1', undefined],
] as const)('in %s, %j declares for everybody: %s', (file, text, expected) => {
  expect(globalsOf(file, text)).toBe(expected);
});

it.each([
  ['untyped', 'import { a } from "untyped";', ['untyped']],
  ['untyped', 'import "untyped/more"; const untyped = "untyped";', []],
  ['untyped', '// import "untyped"', []],
  ['untyped', "const u = require('untyped'); await import('untyped');", ['untyped', 'untyped']],
  ['*.css', "import './a.css'; import b from './b.scss';", ['./a.css']],
  ['virtual:*', "export * from 'virtual:icons';", ['virtual:icons']],
  ['a*a', "import 'a'", []],
])('%s is imported by %j: %j', (declared, text, expected) => {
  const found = importsOfAmbient('a.ts', text, declared);
  expect(found.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(expected);
});

it('hostile texts are read in linear time', () => {
  for (const part of [
    'import ',
    'declare ',
    'declare\t',
    'from "',
    '\nexport',
    'require(',
    ' ',
    'exports.',
    '/*',
  ]) {
    const text = part.repeat(200_000 / part.length);
    globalsOf('a.js', text);
    importsOfAmbient('a.js', text, '*.css');
  }
});
