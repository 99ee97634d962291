import { expect, it } from 'vitest';
import { isMadeByMacroAt, isNoNameOfC } from '../../../src/source-text/names/c-attributes.ts';

/** Returns what is said of the word between the marks. */
function isNoName(marked: string, file = '/w/a.cpp'): boolean {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  return isNoNameOfC(file, marked.replace(/[«»]/g, ''), { start, end });
}

it('knows the words for which a server of C answers with the declaration around them, and that are no symbols', () => {
  expect(isNoName('#include <«vector»>')).toBe(true);
  expect(isNoName('# include <sys/«types».h>')).toBe(true);
  expect(isNoName('struct __attribute__((«packed»)) P { int x; };')).toBe(true);
  expect(isNoName('__attribute__((«cleanup»(f))) char *s;')).toBe(true);
  expect(isNoName('__attribute__((alloc_size(1), «malloc»)) void *get(int);')).toBe(true);
  expect(isNoName('__attribute__((format(«printf», 1, 2))) void say(char *, ...);')).toBe(true);
  expect(isNoName('[[«nodiscard»]] int f();')).toBe(true);
  expect(isNoName('[[gnu::«unused»]] int f();')).toBe(true);
  expect(isNoName('[[using gnu : «unused»]] int f();')).toBe(true);
  expect(isNoName('void go() «override»;')).toBe(true);
});

it('takes what an attribute is given for a name', () => {
  expect(isNoName('__attribute__((cleanup(«f»))) char *s;')).toBe(false);
  expect(isNoName('__attribute__((malloc(«f», 1))) void *get(void);')).toBe(false);
  expect(isNoName('__attribute__((unused)) static int «f»;')).toBe(false);
  expect(isNoName('alignas(alignof(«Exq»)) int k;')).toBe(false);
  expect(isNoName('explicit(sizeof(«Exq») > 1) D(int);')).toBe(false);
  expect(isNoName('[[nodiscard]] int «f»();')).toBe(false);
  expect(isNoName('int a = b[«c»];')).toBe(false);
  expect(isNoName('int «final»;', '/w/a.c')).toBe(false);
  expect(isNoName('@include «f»', '/w/a.py')).toBe(false);
});

it('takes the later parts of a message of Objective-C for no names of their own', () => {
  expect(isNoName('[a put:1 «at»:2];', '/w/a.m')).toBe(true);
  expect(isNoName('[a put:1 at:«b»];', '/w/a.m')).toBe(false);
});

it('knows a macro that makes a name of what it is given', () => {
  expect(isMadeByMacroAt('DEFINE(foo)', 0, 'make_foo')).toBe(true);
  expect(isMadeByMacroAt('static DEFINE(foo, 1);', 7, 'foo_ops')).toBe(true);
  expect(isMadeByMacroAt('void *make(void);', 6, 'avoid')).toBe(false);
  expect(isMadeByMacroAt('  Q_D(Shop);', 2, 'd')).toBe(true);
  expect(isMadeByMacroAt('  Q_OBJECT\n', 2, 'tr')).toBe(true);
  expect(isMadeByMacroAt('define(foo)', 0, 'bar')).toBe(false);
});

it('reads a hostile text in linear time', () => {
  expect(isNoName(`${'__attribute__((a(b),'.repeat(5_000)}«f»`)).toBe(true);
  expect(isNoName(`${'[[a::b(c) '.repeat(5_000)}«f»`)).toBe(true);
  expect(isMadeByMacroAt(`a(${'b '.repeat(50_000)}`, 0, 'bb')).toBe(false);
});
