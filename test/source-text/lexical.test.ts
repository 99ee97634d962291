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
  ['a.ts', "f(a => /x'/.test(a) && x)", 'S.'],
  ['a.ts', 'return /"x/.test(a) && x', 'S.'],
  ['a.ts', 'for (const a of /x`/g[b](x)) x', 'S..'],
  ['a.ts', 'a.return / x / 2', '.'],
  ['a.tsx', '<b>x</b> / x', '..'],
  ['a.py', '"""x\nx""" x # x\nx', 'SS.C.'],
  ['a.py', "f('x', x)", 'S.'],
  ['a.rs', "fn f<'a>(x: &'a str) { 'x' // x\n", '.SC'],
  ['a.rs', 'f(r"\\?\\", x, "x", r##"x "# x"##, br"\\", x) // x', '.SSS.C'],
  ['a.rs', "let a = r#for; x; b'\\''; x; '\"'; x", '...'],
  ['a.cpp', 'f(R"(x " x)", x, u8R"a(x )" x)a", x) // x', 'SS.SS.C'],
  ['a.cpp', "f(10'000, x, u8'x', 'x'); x", '.SS.'],
  ['a.cs', 'f(@"C:\\", x, $@"x ""x"" x", x) // x', '.SSS.C'],
  ['a.dart', 'f(r\'\\\', x, r"""x " x""", x)', '.SS.'],
  ['a.swift', 'f(#"\\"#, x, ##"x "# x"##, x)', '.SS.'],
  ['a.go', 'var a = `x\n// x` + x // x', 'SS.C'],
  ['a.sh', 'echo ${#x} $x # x', '..C'],
  ['a.yaml', 'a: b#x\n# x', '.C'],
  ['a.html', '<p>x</p><!-- x --> x', '.C.'],
  ['a.lua', '--[[ x\nx ]] x -- x', 'CC.C'],
  ['a.css', '.x { /* x */ }', '.C'],
  ['a.y', '\'"\' { x } /* x */ "x"', '.CS'],
  ['a.l', '["\'] { x }\n  /* x */\n[/*] { x }\n// x', '.C.C'],
  ['a.c.in', '/* x */ x', 'C.'],
  ['a.S', '# x\n#x\n#define x # x\n  # define A x\n  call x # x\n  mov r0, #x\n', 'CC.C..C.'],
  ['a.s', '  bl x; bl x @ x\n  ; x\n  .type x, @x\n  .ascii "x"\n', '..CC..S'],
  ['a.s', "  cmp $'\"', %al\n  call x\n", '.'],
  ['a.s', '  AREA A, CODE\n  BL x ; x "\n  DCD x\n', '.C.'],
  ['a.asm', "mov x, ';x' ; x's\nx", '.SC.'],
  ['a.go', '// int f() { return x; } // x\n// "x"\nimport "C"\n// x', '.CSC'],
  ['a.go', '// x\n\n/*\n// x\nint f(x); /\\* x\n*/\n// x\nimport "C" // x', 'CC...C'],
  ['a.go', '// static int x(int a) { return a; }\n// int b = x(1);\nimport "C"\nx', 'CC.'],
  ['a.go', 'import (\n  "x"\n  // x\n  "C"\n)', 'S.'],
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

// A pattern that is tried again at every mark or blank takes minutes for each of these.
it.each([
  ['a.l', ' '.repeat(400_000)],
  ['a.l', '\n//'.repeat(200_000)],
  ['a.s', '#'.repeat(400_000)],
  ['a.s', '; '.repeat(400_000)],
  ['a.s', '@'.repeat(400_000)],
  ['a.s', `${'@'.repeat(400_000)}y`],
  ['a.go', '//\n'.repeat(200_000)],
  ['a.go', `//\n`.repeat(200_000).concat('import "C"')],
  ['a.go', 'import "C"\n'.repeat(100_000)],
  ['a.ts', '/*'.repeat(400_000)],
  ['a.rs', 'r#"'.repeat(200_000)],
  ['a.cpp', 'R"a('.repeat(200_000)],
  ['a.cpp', "1'".repeat(200_000)],
  ['a.swift', '#'.repeat(400_000)],
  ['a.ts', `\`${'x {'.repeat(200_000)}`],
])('takes time in proportion to the text, also in %s', (file, text) => {
  expect(told(file, `${text} x`).length).toBeGreaterThan(0);
  expect(textAcrossLines(file, text).length).toBeLessThan(2);
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
