import { expect, test } from 'vitest';
import { areOfOneFamily, isConfiguration, mayDependOn } from '../../src/source-text/language-families.ts';

test.each([
  ['a.ts', 'b.tsx', true],
  ['a.js', 'B.vue', true],
  ['a.h', 'b.c', true],
  ['a.H', 'b.cpp', true],
  ['a.pyi', 'b.py', true],
  ['a.go', 'b.ts', false],
  ['a.go', 'b.go', true],
  ['Makefile', 'b.c', false],
  ['a.unknown', 'b.unknown', true],
])('%s and %s are of one family: %j', (one, other, expected) => {
  expect(areOfOneFamily(one, other)).toBe(expected);
  expect(areOfOneFamily(other, one)).toBe(expected);
});

test.each([
  ['a.ts', 'data.json', true],
  ['a.py', 'data.json', false],
  ['a.c', 'list.def', true],
  ['a.c', 'a.py', false],
  ['list.def', 'a.c', false],
  ['README.md', 'a.ts', false],
])('%s may depend on %s: %j', (file, other, expected) => {
  expect(mayDependOn(file, other)).toBe(expected);
});

test.each([
  ['a/package.json', true],
  ['tsconfig.build.json', true],
  ['x/compile_flags.txt', true],
  ['Shop.csproj', true],
  ['data.json', false],
  ['my-package.json', false],
])('%s is a configuration: %j', (file, expected) => {
  expect(isConfiguration(file)).toBe(expected);
});
