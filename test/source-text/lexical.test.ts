import { expect, it } from 'vitest';
import { lexicalAt, textAcrossLines } from '../../src/source-text/lexical.ts';

const letters = { code: '.', comment: 'C', string: 'S' } as const;

/** Which of the `x` in a text are code (`.`), comment (`C`) and string (`S`). */
function told(file: string, text: string): string {
  const offsets = [...text.matchAll(/\bx\b/g)].map(({ index }) => index);
  return lexicalAt(file, text, offsets)
    .map((kind) => letters[kind])
    .join('');
}

it.each([
  ['a.ts', 'x; // x "x\nx; /* x\n x */ x', '.CC.CC.'],
  ['a.ts', '"x" + \'x\' + `x\nx` + x', 'SSSS.'],
  ['a.ts', '"\\"x" + x // "', 'S.'],
  ['a.ts', "it's x\nx", 'S.'],
  ['a.ts', '`x ${x} $x {x} ${f({ x })} x` + x', 'S.SS.S.'],
  ['a.ts', '`\\${x} ${x}`', 'S.'],
  ['a.py', 'f"x {x} {{x}}" + rf\'{x}\' + "{x}"', 'S.S.S'],
  ['a.ts', 'const a = /["`]x/; x', 'S.'],
  ['a.ts', 'a / x / b; x', '..'],
  ['a.py', '"""x\nx""" x # x\nx', 'SS.C.'],
  ['a.py', "f('x', x)", 'S.'],
  ['a.rs', "fn f<'a>(x: &'a str) { 'x' // x\n", '.SC'],
  ['a.go', 'var a = `x\n// x` + x // x', 'SS.C'],
  ['a.sh', 'echo ${#x} $x # x', '..C'],
  ['a.yaml', 'a: b#x\n# x', '.C'],
  ['a.html', '<p>x</p><!-- x --> x', '.C.'],
  ['a.lua', '--[[ x\nx ]] x -- x', 'CC.C'],
  ['a.css', '.x { /* x */ }', '.C'],
  ['a.y', '\'"\' { x } /* x */ "x"', '.CS'],
  ['a.l', '["\'] { x }\n  /* x */\n[/*] { x }\n// x', '.C.C'],
  ['a.c.in', '/* x */ x', 'C.'],
  ['a.unknown', '// x "x"', '..'],
  ['a.ts', '/* x never closed\nx', 'CC'],
])('%s: %j', (file, text, expected) => {
  expect(told(file, text)).toBe(expected);
});

it('takes time in proportion to the text, whatever the text', () => {
  for (const part of ['"', '`', '/*', '\\', "'", '(/[', '/a', '<!--', '{ ']) {
    const text = `${part.repeat(100_000)} x`;
    for (const file of ['a.ts', 'a.vue', 'a.py', 'a.rs', 'a.sh']) told(file, text);
  }
});

it.each([
  ['a.ts', 'a = `b` + `c`;\nd = "e";\n', []],
  ['a.ts', 'a = `b\nc`;\n// `\n', ['`b\nc`']],
  ['a.ts', '/* a\nb */ c; /**\n * d\n */', ['/* a\nb */', '/**\n * d\n */']],
  ['a.py', 'a = """b\nc"""\n', ['"""b\nc"""']],
  ['a.unknown', '`a\nb`', []],
])('finds what goes over several lines of %s: %j', (file, text, expected) => {
  expect(textAcrossLines(file, text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
