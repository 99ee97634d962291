import { expect, it } from 'vitest';
import { macrosAt } from '../../src/source-text/macros.ts';
import { occurrences } from '../../src/source-text/words.ts';

it.each([
  ['a.h', '#define TOTAL(c) (c).x()\nint x;', ['TOTAL', undefined]],
  ['a.h', '#  define LONG \\\n  x + \\\r\n  x\nx', ['LONG', 'LONG', undefined]],
  ['a.cc', '#define TWICE(x, y) (x) + (y)\n#define OTHER(y) (y) + x', [undefined, undefined, 'OTHER']],
  ['a.c', 'int f(void) { return x; }', [undefined]],
  ['a.rs', 'macro_rules! m {\n  ($a:expr) => {{ $crate::x($a, [x]) }};\n}\nfn x() {}', ['m', 'm', undefined]],
  ['a.rs', 'macro_rules! m (() => (x)); x', ['m', undefined]],
  ['a.rs', 'macro_rules! m { ( x', ['m']],
  ['a.ts', '#define A x', [undefined]],
])('%s: a word in the definition of a macro is known: %j', (file, text, expected) => {
  expect(macrosAt(file, text, occurrences(text, 'x'), 'x')).toEqual(expected);
});

it('takes time in proportion to the text, whatever the text', () => {
  for (const part of ['#define A ', '#define A(', '\\', '\n#', 'macro_rules! m {', '{', ' \t'])
    for (const file of ['a.c', 'a.rs']) macrosAt(file, `${part.repeat(50_000)} x`, [1], 'x');
});
