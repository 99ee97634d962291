import { expect, it } from 'vitest';
import {
  includedIn,
  isLocalAt,
  isPrivateAt,
  mayEmbedC,
  namesForLinker,
} from '../../src/source-text/embedded-c.ts';

it.each([
  ['a.y', true],
  ['a.lex', true],
  ['rows.def', true],
  ['config.h.in', true],
  ['a.pyx', true],
  ['start.S', true],
  ['configure.in', false],
  ['CMakeLists.txt', false],
  ['guide.md', false],
  ['a.html', false],
])('whether %s may hold C: %s', (file, expected) => {
  expect(mayEmbedC(`/w/${file}`)).toBe(expected);
});

it.each([
  ['a.y', '%{\n# include "b.h"\n#include <c/d.h>\n%}', ['"b.h', '<c/d.h']],
  ['a.i', '%{\n#include "b.h"\n%}\n%include "c.i"\n', ['"b.h', '"c.i']],
  ['a.x', '%#include "b.h"\n', ['"b.h']],
  ['a.pxd', 'cdef extern from "b.h":\n  int f()\ncdef extern from "<c.h>" nogil:\n', ['"b.h', '<c.h']],
  ['a.pyx', '#include "b.h"\n', []],
])('what %s with %j includes', (file, text, expected) => {
  const found = Array.from(includedIn(file, text), ({ path, isQuoted }) => `${isQuoted ? '"' : '<'}${path}`);
  expect(found).toEqual(expected);
});

it.each([
  ['a.go', 'import "C"\nvar a = C.f(1)\n', true],
  ['a.go', 'import "C"\nvar a = f(1)\n', false],
  ['a.go', 'var a = C.f(1)\n', false],
  ['a.rs', 'extern "C" {\n  pub fn g();\n  pub fn f(a: i32);\n}\n', true],
  ['a.rs', 'fn f() {}\n', false],
  ['a.S', '  .globl f\nf:\n', true],
  ['a.s', '  bl f\n', true],
  ['a.S', '# f is called\n', false],
  ['a.def', 'LIBRARY a\nEXPORTS\n  f\n', true],
  ['a.def', 'ROW(f)\n', false],
])('whether %s with %j names a symbol for the linker: %s', (file, text, expected) => {
  expect(namesForLinker(file, text, 'f')).toBe(expected);
});

it.each([
  ['a.c', 'static int NAME(void) {}', true],
  ['a.c', '#define NAME 1', true],
  ['a.c', 'int NAME(void) {}', false],
  ['a.c', 'static int a = NAME;', false],
  ['a.h', 'static int NAME(void) {}', false],
])('whether no other source can name what %s declares with %j: %s', (file, text, expected) => {
  expect(isPrivateAt(file, text, text.indexOf('NAME'))).toBe(expected);
});

it.each([
  ['void f(int NAME) {}', true],
  ['void f(struct a *NAME, int b) {}', true],
  ['void f(void) { int NAME = 1; }', true],
  ['void f(void) { const char *a, *NAME; }', true],
  ['void f(void) { NAME(); }', false],
  ['void f(void) { extern int NAME; }', false],
  ['void f(void) { return NAME; }', false],
  ['void f(NAME) {}', false],
])('whether the name in %j is local: %s', (text, expected) => {
  expect(isLocalAt('a.c', text, text.indexOf('NAME'), text.indexOf('f') + 1)).toBe(expected);
});
