import { expect, it } from 'vitest';
import {
  hasUnknownInclude,
  includedIn,
  isAlwaysPrivate,
  isLocalAt,
  isMadeFrom,
  isPrivateAt,
  mayEmbedC,
  namingWithoutHeader,
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
  ['a.go', 'import "C"\nvar a = C.f(1)\n', 'any'],
  ['a.go', 'import (\n\t"a"\n\t"C"\n)\nvar a = C.f(1)\n', 'any'],
  ['a.go', '// int g() { return f(1); }\nimport "C"\n', 'any'],
  ['a.go', '/*\nint g() { return f(1); }\n*/\nimport "C"\n', 'any'],
  ['a.go', '// // f is there.\n// int f(int a) { return a; }\nimport "C"\n', undefined],
  ['a.go', '// f is there.\n\nimport "C"\n', undefined],
  ['a.go', '// f is there.\nimport "C"\n// f(1)\n', 'any'],
  ['a.go', 'import "C"\nvar a = b.f\n', 'unlinked'],
  ['a.go', 'import "C"\nvar a = C.b{ f: 1 }\n', 'unlinked'],
  ['a.go', 'import "C"\nfunc f() { f := 1; g(f) }\n', undefined],
  ['a.go', 'var a = C.f(1)\n', undefined],
  ['a.rs', 'extern "C" {\n  pub fn g();\n  pub fn f(a: i32);\n}\n', 'linked'],
  ['a.rs', 'extern {\n  fn f();\n}\n', 'linked'],
  ['a.rs', 'extern "C" {\n  /// Returns {a}.\n  fn g();\n  fn f();\n}\n', 'linked'],
  ['a.rs', '#[no_mangle]\npub fn f() {}\n', 'linked'],
  ['a.rs', 'extern "C" {\n  #[link_name = "f"]\n  fn g();\n}\n', 'linked'],
  ['a.rs', 'extern "C" {\n  fn g(); // Like f.\n}\nfn h(a: A) { a.f() }', undefined],
  ['a.rs', 'extern crate a;\nfn f() {}\n', undefined],
  ['a.S', '  .globl f\nf:\n', 'linked'],
  ['a.s', '  bl f\n', 'linked'],
  ['a.s', '  bne f\n', 'linked'],
  ['a.s', '  ldr r0, =f\n', 'linked'],
  ['a.s', '  .word f\n', 'linked'],
  ['a.S', '  add x0, x0, #:lo12:f\n', 'linked'],
  ['a.S', '  nop; bl f\n', 'linked'],
  ['a.S', '#define HANDLER f\n', 'linked'],
  ['a.S', '#define BOTH(x) x ## _end; b f\n', 'linked'],
  ['a.s', '  AREA A, CODE\n  IMPORT f\n', 'linked'],
  ['a.s', '  AREA A, CODE\nf PROC\n', 'linked'],
  ['a.asm', '  dd f\n', 'linked'],
  ['a.S', '# f is called\n', undefined],
  ['a.S', '  bl g # not f\n  bl g @ f\n  bl g // f\n  ; f\n/* f */\n', undefined],
  ['a.s', '  AREA A, CODE\n  BL g ; not f\n', undefined],
  ['a.asm', '  call g ; not f\n', undefined],
  ['a.S', '  .f g, 1\n  f r0, r1\n1: f r0\n  nop; f r0\n  mov %f, %eax\n', undefined],
  ['a.S', '  .ascii "f"\n', undefined],
  ['a.s', '  MOVQ f+8(FP), AX\n', undefined],
  ['a.y', '%{\n#include <stdio.h>\nextern int f(void);\n%}\n', 'linked'],
  ['a.y', '%{\n#include <stdio.h>\nint f(void);\n%}\n', 'linked'],
  ['a.y', '%{\n/* It is there. */\nstruct a *\nf (int a,\n  int b);\n%}\n', 'linked'],
  ['a.y', 'all: { f(); return f(1); }\n  | f { int a = f(2); }\n', undefined],
  ['a.y', '%{\n/* extern int f(void); */\n%}\n', undefined],
  ['a.pyx', 'cdef extern from *:\n  int f(int)\n', 'linked'],
  ['a.pyx', 'cdef extern from "<stdio.h>":\n  int g(int)\ndef f(a): return a\n', undefined],
  ['a.def', 'LIBRARY a\nEXPORTS\n  f\n', 'linked'],
  ['a.def', 'ROW(f)\n', undefined],
  ['a.map', 'LIB_1 { global: f; local: *; };\n', 'linked'],
  ['a.map', 'LIB_1 {\n  global:\n    extern "C++" { "f"; };\n};\n', 'linked'],
  ['a.map', '{\n  f;\n  g;\n};\n', 'linked'],
  ['a.map', 'f {\n  global: g;\n};\n', undefined],
  ['a.map', '/* f */ LIB_1 { global: g; };\n', undefined],
  ['a.map', '{"version":3,"names":["f"]}', undefined],
  ['a.js.map', 'LIB_1 { global: f; };\n', undefined],
  ['a.map', ' .text 0x100 0x20 f.o\n 0x100 f\n', undefined],
  ['a.ld', 'ENTRY(f)\nSECTIONS { }\n', 'linked'],
  ['a.lds', 'SECTIONS { .f : { *(.text.f) f.o(.text) } }\n', undefined],
  ['a.ld.in', 'PROVIDE(f = .);\n', 'linked'],
  ['a.sym', 'f\ng\n', 'linked'],
  ['a.syms', 'g\nf@V1\n', 'linked'],
  ['a.exp', '#!\n# f\nf\n', 'linked'],
  ['a.exp', 'set f [lindex $a 1]\n', undefined],
  ['a.ver', 'V1 { global: f*; };\n', 'linked'],
])('which symbols %s with %j names without a header: %s', (file, text, expected) => {
  expect(namingWithoutHeader(file, text, 'f')).toBe(expected);
});

// A pattern that is tried again at every mark or blank takes minutes for each of these.
it.each([
  ['a.def', '\n'.repeat(1_000_000)],
  ['a.go', '\n'.repeat(1_000_000)],
  ['a.go', '\n"C"\n'.repeat(200_000)],
  ['a.go', '// f\nimport "C"\n'.repeat(100_000)],
  ['a.go', `/*${'\n f(f('.repeat(200_000)}*/\nimport "C"\n`],
  ['a.rs', 'extern "C" {\n'.repeat(200_000)],
  ['a.s', 'b '.repeat(500_000)],
  ['a.s', `${'f'.repeat(20)} f;`.repeat(50_000)],
  ['a.s', '# '.repeat(500_000)],
  ['a.s', ' '.repeat(1_000_000)],
  ['a.y', 'int f '.repeat(300_000)],
  ['a.y', `${' '.repeat(190)}f(`.repeat(20_000)],
  ['a.pyx', 'cdef '.repeat(300_000)],
  ['a.map', '{'.repeat(300_000)],
  ['a.map', 'a;'.repeat(300_000)],
  ['a.map', '\n'.repeat(1_000_000)],
  ['a.map', 'a\n'.repeat(500_000)],
  ['a.ver', `a${' '.repeat(1_000_000)}`],
  ['a.pyx', `cdef${' '.repeat(1_000_000)}`],
])('takes time in proportion to the text, whatever the text of %s', (file, text) => {
  for (const whole of [text, `${text} f`]) namingWithoutHeader(file, whole, 'f');
  for (const _ of includedIn(file, text)) break;
  isMadeFrom(text, 'f');
  hasUnknownInclude(text);
});

it.each([
  ['#line 12 "../parse.y"\n', true],
  ['# 12 "parse.y" 2\n', true],
  ['/* Made from "parse.y" */\n', false],
  ['#line 12 "other.y"\n', false],
])('whether lines of %j come from a grammar: %s', (text, expected) => {
  expect(isMadeFrom(text, 'parse.y')).toBe(expected);
});

it.each([
  ['a.c', 'static int NAME(void) {}', true],
  ['a.c', '#define NAME 1', true],
  ['a.c', 'int a;\nstatic inline int\nNAME(void) {}', true],
  ['a.c', 'static __attribute__((noinline)) int NAME(void) {}', true],
  ['a.c', 'static int a(int NAME) {}', false],
  ['a.c', 'static int a(void) {}\nint NAME(void) {}', false],
  ['a.c', 'void f(void) {\n  static int NAME;\n}', false],
  ['a.c', 'int NAME(void) {}', false],
  ['a.c', 'static int a = NAME;', false],
  ['a.h', 'static int NAME(void) {}', false],
])('whether no other source can name what %s declares with %j: %s', (file, text, expected) => {
  expect(isPrivateAt(file, text, text.indexOf('NAME'))).toBe(expected);
});

it.each([
  ['static int NAME(void);\n\nstatic int\nNAME(void)\n{\n  return NAME();\n}', true],
  ['static uv_timer_t NAME;\nvoid f(void) {\n  run(&NAME);\n}', true],
  ['static const char* const NAME[] = { 0 };', true],
  ['#define NAME 1\n', true],
  ['/*\nNAME is a word\n*/\nstatic void NAME(int a) {}', true],
  ['#ifdef A\nstatic int NAME(void) {}\n#else\nint NAME(void) {}\n#endif', false],
  ['#ifdef A\nstatic\n#endif\nint NAME(void) {}', false],
  ['#ifdef A\n#define NAME 1\n#else\nextern int NAME;\n#endif', false],
  ['static struct NAME *a;', false],
  ['static NAME a;', false],
  ['static NAME(a) {\n}', false],
  ['int f(void) {\n  static int NAME;\n}', false],
])('whether a source always makes a name private: %j %s', (text, expected) => {
  expect(isAlwaysPrivate('a.c', text, 'NAME')).toBe(expected);
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
