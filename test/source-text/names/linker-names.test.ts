import { expect, it } from 'vitest';
import { isNamedToLinker } from '../../../src/source-text/names/linker-names.ts';

/** Returns whether the word between the marks names something to the linker. */
function isNamed(marked: string, file = '/w/a.c'): boolean {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  return isNamedToLinker(file, marked.replace(/[«»]/g, ''), { start, end });
}

it('knows strings in attributes of C that name a function', () => {
  expect(isNamed('int g(void) __attribute__((alias("«f»")));')).toBe(true);
  expect(isNamed('int g(void) __attribute__((weak, __alias__ ( "«f»")));')).toBe(true);
  expect(isNamed('int g(void) __attribute__((ifunc("«f»")));')).toBe(true);
  expect(isNamed('static int g(void) __attribute__((weakref("«f»")));')).toBe(true);
  expect(isNamed('[[gnu::alias("«f»")]] int g();', '/w/a.cpp')).toBe(true);
  expect(isNamed('__attribute__((symver("«f»@V1"))) int g(void);')).toBe(true);
  expect(isNamed('__attribute__((section("«f»"))) int g(void);')).toBe(false);
  expect(isNamed('say("«f»");')).toBe(false);
  expect(isNamed('alias("«f»")', '/w/a.py')).toBe(false);
});

it('knows what a pragma names', () => {
  expect(isNamed('_Pragma("weak «f»")')).toBe(true);
  expect(isNamed('_Pragma("redefine_extname g «f»")')).toBe(true);
  expect(isNamed('#pragma comment(linker, "/export:«f»")')).toBe(true);
  expect(isNamed('_Pragma("once «f»")')).toBe(false);
});

it('knows what assembler calls or defines, also over several strings', () => {
  expect(isNamed('asm("call «f»");')).toBe(true);
  expect(isNamed('__asm__ __volatile__ ("nop\\n\\t"\n  "bl «f»\\n" : : "r"(a));')).toBe(true);
  expect(isNamed('asm(".globl «f»\\n" "f: ret");')).toBe(true);
  expect(isNamed('asm(".globl f\\n" "«f»: ret");')).toBe(true);
  expect(isNamed('asm("# an asm(\\n" "bl «f»");')).toBe(true);
  expect(isNamed('asm("nop" /* none */ SEPARATOR "b «f»");')).toBe(true);
  expect(isNamed('__asm__(".symver «f»_v1,f@V1");')).toBe(true);
  expect(isNamed('asm("lea «f»(%rip), %rax");')).toBe(true);
});

it('knows the name that a declaration has for the linker', () => {
  expect(isNamed('extern int g(void) __asm__("«f»");')).toBe(true);
  expect(isNamed('extern int g asm ("«f»");')).toBe(true);
  expect(isNamed('register long a asm("«a»");')).toBe(false);
});

it('takes instructions, registers, directives and operands for nothing else', () => {
  expect(isNamed('asm("«nop»");')).toBe(false);
  expect(isNamed('if (a) { asm("«cli»"); }')).toBe(false);
  expect(isNamed('asm volatile("nop\\n\\t«wait» 1");')).toBe(false);
  expect(isNamed('asm("mov %«eax», 1");')).toBe(false);
  expect(isNamed('asm("mov %[«out»], 1" : [out] "=r"(out));')).toBe(false);
  expect(isNamed('asm(".«text»");')).toBe(false);
  expect(isNamed('asm("nop" : "=«r»"(a));')).toBe(false);
  expect(isNamed('asm("nop" : : : "«memory»");')).toBe(false);
  expect(isNamed('asm("nop"); say("«f»");')).toBe(false);
});

it('reads a hostile text in linear time', () => {
  expect(isNamed(`${'asm('.repeat(5_000)}"«f»`)).toBe(false);
  expect(isNamed(`asm("${'nop\\n'.repeat(9_000)} call «f»`)).toBe(true);
  expect(isNamed(`asm(${'"a" '.repeat(9_000)}"call «f»`)).toBe(true);
});
