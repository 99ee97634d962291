import { describe, expect, it } from 'vitest';
import { cDeclarationAt } from '../../src/source-text/c-declarations.ts';

/** The name stands after the mark. */
const cases: readonly (readonly [string, string | undefined])[] = [
  ['int |add(int a, int b);', 'declaration'],
  ['int |add(int a, int b) { return a + b; }', 'definition'],
  ['CJSON_PUBLIC(void) |cJSON_Delete(cJSON *item);', 'declaration'],
  ['CJSON_PUBLIC(void) |cJSON_Delete(cJSON *item)\n{', 'definition'],
  ['static char *|dup(const char *s /* ; */) {', 'definition'],
  ['void |log(const char *f, ...) __attribute__((format(printf, 1, 2)));', 'declaration'],
  ['int Foo::|area() const noexcept {', 'definition'],
  ['Foo::|Foo() : a(1), b{2} {', 'definition'],
  ['extern int |count;', 'declaration'],
  ['int |count;', 'definition'],
  ['int |count = 3;', 'definition'],
  ['char *|names[] = { "a" };', 'definition'],
  ['struct |node;', 'declaration'],
  ['struct |node {', 'definition'],
  ['class |Square final : public Shape {', 'definition'],
  ['struct |node first;', undefined],
  ['  return |add(1, 2);', undefined],
  ['  |add(1, 2);', undefined],
  ['  if (|add(1, 2)) {', undefined],
  ['#define TWICE(x) |add((x), (x))', undefined],
  ['  |count = 3;', undefined],
  ['  x = (int) |count;', undefined],
  ['  x = (int) |add(1, 2);', undefined],
  ['  if (x) |add(1, 2);', undefined],
  ['// Adds, and so on.\nint |add(int a);', 'declaration'],
  ['static inline |add(int a) {', 'definition'],
  ['int |old(a) int a; { return a; }', undefined],
];

describe('cDeclarationAt', () => {
  it.each(cases)('reads %j as %s', (marked, expected) => {
    const offset = marked.indexOf('|');
    expect(cDeclarationAt('a.c', marked.replace('|', ''), offset)).toBe(expected);
  });

  it('says nothing about other languages', () => {
    expect(cDeclarationAt('a.ts', 'declare function f(): void;', 17)).toBeUndefined();
  });

  it('does not take a line of the preprocessor for a part of a declaration', () => {
    const loop = '#define EACH(e) for (e = 0; \\\n  e; e++)\nvoid *make(int a);';
    expect(cDeclarationAt('a.h', loop, loop.indexOf('make'))).toBe('declaration');
    expect(cDeclarationAt('a.h', '#ifdef X\nint add(int a);\n#endif', 13)).toBe('declaration');
  });
});
