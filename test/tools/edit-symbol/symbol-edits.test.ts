import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import type { OutlineSymbol } from '../../../src/core/question.ts';
import type { SymbolKind } from '../../../src/core/symbol-kinds.ts';
import { deleteSymbol, insertBeside, replaceSymbol } from '../../../src/tools/edit-symbol/symbol-edits.ts';
import { neighboursOf, symbolExtent } from '../../../src/tools/edit-symbol/symbol-extent.ts';
import { type Document, documentOf } from '../../../src/workspace/texts/document.ts';

/**
 * Edits the first symbol of a text. `⟦` and `⟧` stand around what the server says that the symbol is, around others
 * `⟨` and `⟩`; the name is the first word in it that is in capitals.
 */
function edit(
  marked: string,
  how: { action: 'replace' | 'before' | 'after' | 'delete'; text?: string; file?: string; kind?: SymbolKind },
): string {
  const { action, text = '', file = 'a.ts', kind = 'function' } = how;
  const plain = marked.replace(/[⟦⟧⟨⟩]/g, '');
  const document = documentOf(`/r/${file}`, plain);
  const symbols = [...marked.matchAll(/[⟦⟨]([^⟧⟩]*)[⟧⟩]/g)].map(({ 0: whole, index }) => ({
    isMeant: whole.startsWith('⟦'),
    symbol: symbolOf(document, marked, index, whole, kind),
  }));
  const siblings = symbols.map(({ symbol }) => symbol);
  const symbol = symbols.find(({ isMeant }) => isMeant)?.symbol;
  if (!symbol) throw new Error('no symbol is marked');
  const extent = symbolExtent(document, symbol, siblings);
  const neighbours = neighboursOf(document, symbol, siblings);
  const { range, newText } =
    action === 'replace'
      ? replaceSymbol(document, extent, text)
      : action === 'delete'
        ? deleteSymbol(document, extent)
        : insertBeside(document, extent, text, action, neighbours);
  return `${plain.slice(0, offsetOf(document, range.start))}${newText}${plain.slice(offsetOf(document, range.end))}`;
}

function symbolOf(
  document: Document,
  marked: string,
  index: number,
  whole: string,
  kind: SymbolKind,
): OutlineSymbol {
  const start = marked.slice(0, index).replace(/[⟦⟧⟨⟩]/g, '').length;
  const inner = whole.slice(1, -1);
  const [name = ''] = /[A-Z]+/.exec(inner) ?? [];
  const at = start + inner.indexOf(name);
  return {
    name,
    kind,
    range: { start: document.positionAt(start), end: document.positionAt(start + inner.length) },
    selection: { start: document.positionAt(at), end: document.positionAt(at + name.length) },
    children: [],
  };
}

function offsetOf(document: Document, { line, character }: { line: number; character: number }): number {
  const before = document.text.split('\n').slice(0, line);
  return before.reduce((sum, text) => sum + text.length + 1, character);
}

describe('what belongs to a symbol goes with it', () => {
  it.each([
    ['its statement', 'let a\nconst ⟦B = 1⟧; // one\nlet c\n', 'let a\nlet c\n'],
    ['modifiers', 'x\nexport default async function ⟦B() {\n}⟧\ny\n', 'x\ny\n'],
    ['a comment', 'x\n\n/**\n * It.\n\n */\n⟦function B() {}⟧\ny\n', 'x\n\ny\n'],
    ['line comments', 'x\n\n// one\n// two\n⟦function B() {}⟧\ny\n', 'x\n\ny\n'],
    ['decorators', 'x\n@a\n@b({\n  c: ")",\n})\n⟦class B {}⟧\ny\n', 'x\ny\n'],
    ['comments among decorators', 'x\n/** d */\n@a\n// e\n@b()\n⟦class B {}⟧\ny\n', 'x\ny\n'],
    ['a decorator on its line', 'x\n  @a() private ⟦B = 1⟧;\ny\n', 'x\ny\n'],
  ])('%s', (_, marked, left) => {
    expect(edit(marked, { action: 'delete', kind: 'variable' })).toBe(left);
  });

  it.each([
    ['a comment beyond a blank line', '// far\n\n⟦function B() {}⟧\n', '// far\n'],
    ['a comment behind other code', 'x() // y\n⟦function B() {}⟧\n', 'x() // y\n'],
    ['a comment that begins behind other code', 'x() /* y\n z */\n⟦function B() {}⟧\n', 'x() /* y\n z */\n'],
    ['a comment of another indentation', 'if (x) {\n  // z\n⟦function B() {}⟧\n', 'if (x) {\n  // z\n'],
  ])('but not %s', (_, marked, left) => {
    expect(edit(marked, { action: 'delete' })).toBe(left);
  });

  it.each([
    ['ts', 'class X {\n  ⟨@a() A = 1;⟩\n  ⟦@b() B = 1;⟧\n}\n', 'class X {\n  @a() A = 1;\n}\n'],
    ['ts', 'class X {\n  ⟨@a() A⟩\n  @b()\n  ⟦B⟧\n}\n', 'class X {\n  @a() A\n}\n'],
    ['ts', 'class X {\n  ⟨@a() A() {\n  }⟩\n  ⟦B() {}⟧\n}\n', 'class X {\n  @a() A() {\n  }\n}\n'],
    ['cpp', '[[nodiscard]] ⟨int A();⟩\n⟦int B();⟧\n', '[[nodiscard]] int A();\n'],
    ['cpp', 'template <class T> using X = T; // x\n⟦int B();⟧\n', 'template <class T> using X = T; // x\n'],
    ['rs', '#[cfg(unix)] use x;\n⟦fn B() {}⟧\n', '#[cfg(unix)] use x;\n'],
    ['rs', '⟨#[inline] fn A() {}⟩\n⟦#[inline]\nfn B() {}⟧\n', '#[inline] fn A() {}\n'],
    ['java', '@Inject private A a; /* b */\n⟦private C B;⟧\n', '@Inject private A a; /* b */\n'],
  ])('but not a declaration with a decorator on its line, in %s: %s', (language, marked, left) => {
    expect(edit(marked, { action: 'delete', file: `a.${language}` })).toBe(left);
  });

  it.each([
    ['py', '# about\n@a(\n    1,\n)\n⟦def B():\n    """Doc."""\n    return 1⟧\n\n\nx = 1\n', 'x = 1\n'],
    ['py', '#!/usr/bin/env python\n⟦def B(): pass⟧\n', '#!/usr/bin/env python\n'],
    ['rs', 'use x;\n\n⟦/// Doc.\n#[derive(Debug)]\nstruct B;⟧\n', 'use x;\n'],
    ['go', 'package a\n\n// B is.\ntype ⟦B struct{}⟧\n', 'package a\n'],
    ['cs', 'x\n[Attr("y")]\n⟦class B {}⟧\nz\n', 'x\nz\n'],
    ['cpp', 'int x;\n[[nodiscard]]\n⟦int B();⟧\nint y;\n', 'int x;\nint y;\n'],
    ['cpp', 'int x;\nextern "C"\n⟦int B();⟧\nint y;\n', 'int x;\nint y;\n'],
    ['cpp', 'alignas(8) int x;\nalignas(16)\n⟦int B;⟧\nint y;\n', 'alignas(8) int x;\nint y;\n'],
  ])('in %s', (language, marked, left) => {
    expect(edit(marked, { action: 'delete', file: `a.${language}` })).toBe(left);
  });

  it.each([
    ['py', 'a = 1\n⟦B⟧: list[int] = [\n    1,\n]\nc = 1\n', 'a = 1\nc = 1\n'],
    ['py', 'a = 1\n⟦B⟧ = "a" \\\n  "b"\n', 'a = 1\n'],
    ['py', 'a = 1\n⟦B⟧ = "x; y";  # z\nc = 1\n', 'a = 1\nc = 1\n'],
  ])(
    'includes the whole statement of a variable for which the server gives only the name, in %s',
    (language, marked, left) => {
      expect(edit(marked, { action: 'delete', kind: 'variable', file: `a.${language}` })).toBe(left);
    },
  );

  it.each([
    'const ⟦B = 1⟧, ⟨C = 2⟩;\n',
    'const ⟨C = 1⟩, ⟦B = 2⟧;\n',
    'const { ⟦B⟧, ⟨C⟩ } = x;\n',
    'enum E { ⟦B⟧, ⟨C⟩ }\n',
    'f({ ⟦B() {}⟧ })\n',
    'f({\n  ⟦B() {}⟧ })\n',
    'let ⟦B = 1⟧; call();\n',
    'for ⟦B⟧ in range(3):\n    call()\n',
    'return ⟦function B() {}⟧;\n',
  ])('but a symbol that shares its lines with other code is refused: %s', (marked) => {
    for (const action of ['delete', 'replace', 'before', 'after'] as const)
      expect(() => edit(marked, { action, text: 'x', kind: 'variable' })).toThrow(LspanError);
  });
});

it('a symbol that is declared together with others is refused, and names those', () => {
  const text = 'var a, b = 1, 2\n';
  const document = documentOf('/r/a.go', text);
  const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 15 } };
  const [a, b] = [4, 7].map((character): OutlineSymbol => {
    const selection = { start: { line: 0, character }, end: { line: 0, character: character + 1 } };
    return { name: text.charAt(character), kind: 'variable', range, selection, children: [] };
  });
  if (!a || !b) throw new Error('there are two symbols');
  expect(() => symbolExtent(document, a, [a, b])).toThrow(/"a" shares .* with "b"/);
  expect(symbolExtent(document, a, [a, { ...a }])).toMatchObject({ first: 0, last: 0 });
});

describe('a comment or attribute about the whole file does not belong to the first symbol', () => {
  it.each([
    ['rs', '//! About.\n', '⟦fn B() {}⟧'],
    ['rs', '/*! About.\n it */\n', '⟦fn B() {}⟧'],
    ['rs', '#![allow(dead_code)]\n', '⟦fn B() {}⟧'],
    ['rs', '#![cfg_attr(\n    x,\n    y\n)]\n', '/// Doc.\n#[inline]\n⟦fn B() {}⟧'],
    ['ts', '/// <reference types="node" />\n', '⟦function B() {}⟧'],
    ['ts', '// @ts-nocheck\n', '/** Doc. */\n⟦function B() {}⟧'],
    ['js', '/* eslint no-var: 0 */\n', '⟦function B() {}⟧'],
    ['py', '#!/usr/bin/python3\n# -*- coding: latin-1 -*-\n', '⟦def B(): pass⟧'],
    ['py', '# pyright: strict\n', '# Doc.\n⟦def B(): pass⟧'],
  ])('in %s: %s', (language, about, symbol) => {
    const file = `a.${language}`;
    expect(edit(`${about}${symbol}\n`, { action: 'delete', file })).toBe(about);
    const inserted = edit(`${about}${symbol}\n`, { action: 'before', text: 'new', file });
    expect(inserted.startsWith(`${about}new\n`)).toBe(true);
  });

  it.each([
    ['ts', '/* eslint-disable-next-line no-var */\n'],
    ['cpp', '//! Doc.\n'],
    ['cpp', '/*! Doc. */\n'],
    ['py', '# The coding of it.\n'],
  ])('but one about the symbol does, in %s: %s', (language, about) => {
    expect(edit(`${about}⟦int B() {}⟧\n`, { action: 'delete', file: `a.${language}` })).toBe('');
  });
});

describe('a comment for a compiler or a linter stays when a symbol is replaced with other documentation', () => {
  it.each([
    [
      'go',
      '// B is.\n//\n//go:embed b.txt\nvar ⟦B string⟧',
      '// B was.\nvar B []byte',
      '// B was.\n//go:embed b.txt\n',
    ],
    ['go', '//export B\nfunc ⟦B() {}⟧', '// B was.\nfunc B() {}', '// B was.\n//export B\n'],
    ['go', '// B is.\n//go:noinline\nfunc ⟦B() {}⟧', '//go:nosplit\nfunc B() {}', '// B is.\n//go:nosplit\n'],
    [
      'ts',
      '/** Doc. */\n// @ts-ignore why\n⟦const B = 1⟧',
      '/** New. */\nconst B = 2',
      '/** New. */\n// @ts-ignore why\n',
    ],
    [
      'py',
      '# Doc.\n# pylint: disable-next=x\n⟦def B(): pass⟧',
      '# New.\ndef B(): pass',
      '# New.\n# pylint: disable-next=x\n',
    ],
  ])('in %s: %s', (language, marked, text, header) => {
    const replaced = edit(`${marked}\n`, { action: 'replace', text, file: `a.${language}` });
    expect(replaced).toBe(`${header}${text.split('\n')[1]}\n`);
  });
});

describe('a symbol is replaced', () => {
  const old = 'class A {\n  /** Doc. */\n  @dec\n  ⟦B() {\n    return 1;\n  }⟧\n}\n';

  it.each([
    ['documentation and decorators stay', 'B() {}', '  /** Doc. */\n  @dec\n  B() {}'],
    ['documentation is brought', '/** New. */\nB() {}', '  /** New. */\n  @dec\n  B() {}'],
    ['decorators are brought', '@other(\n  1,\n)\nB() {}', '  /** Doc. */\n  @other(\n    1,\n  )\n  B() {}'],
    ['both are', '// New.\n@other\nB() {}\n', '  // New.\n  @other\n  B() {}'],
    ['indented text stays as it is', '    B() {}\n', '  /** Doc. */\n  @dec\n    B() {}'],
    [
      'lines in strings stay',
      'B() {\n  return `a\nb`;\n}',
      '  /** Doc. */\n  @dec\n  B() {\n    return `a\nb`;\n  }',
    ],
  ])('%s', (_, text, expected) => {
    expect(edit(old, { action: 'replace', text })).toBe(`class A {\n${expected}\n}\n`);
  });

  it('a docstring is indented with the code', () => {
    const marked = 'class A:\n    ⟦def B(self):\n        pass⟧\n';
    const text = 'def B(self):\n    """One.\n\n    Two.\n    """\n    return """a\nb"""';
    const expected =
      'class A:\n    def B(self):\n        """One.\n\n        Two.\n        """\n        return """a\nb"""\n';
    expect(edit(marked, { action: 'replace', text, file: 'a.py' })).toBe(expected);
  });

  it('tabs stay tabs, and a file without a final line break stays without one', () => {
    expect(
      edit('x\n\t⟦function B() {}⟧', { action: 'replace', text: 'function B() {\n\treturn;\n}\n' }),
    ).toBe('x\n\tfunction B() {\n\t\treturn;\n\t}');
  });
});

describe('text is inserted at the distance of the neighbours', () => {
  it.each([
    ['after', '⟦function B() {}⟧\n\n⟨function C() {}⟩\n', 'function B() {}\n\nNEW\n\nfunction C() {}\n'],
    [
      'before',
      '⟨function C() {}⟩\n\n// doc\n⟦function B() {}⟧\n',
      'function C() {}\n\nNEW\n\n// doc\nfunction B() {}\n',
    ],
    ['after', 'const ⟦B = 1⟧;\nconst ⟨C = 2⟩;\n', 'const B = 1;\nNEW\nconst C = 2;\n'],
    ['before', '⟦function B() {\n}⟧', 'NEW\n\nfunction B() {\n}'],
    ['after', 'class A {\n  ⟦B() {\n  }⟧\n}\n', 'class A {\n  B() {\n  }\n\n  NEW\n}\n'],
  ] as const)('%s: %s', (action, marked, expected) => {
    expect(edit(marked, { action, text: 'NEW', kind: 'variable' })).toBe(expected);
  });

  it('two lines apart in Python', () => {
    const marked = 'import x\n\n\n⟦def B():\n    pass⟧\n';
    const file = 'a.py';
    expect(edit(marked, { action: 'after', text: 'def new(): ...', file })).toBe(
      'import x\n\n\ndef B():\n    pass\n\n\ndef new(): ...\n',
    );
    expect(edit(marked, { action: 'before', text: 'def new(): ...', file })).toBe(
      'import x\n\n\ndef new(): ...\n\n\ndef B():\n    pass\n',
    );
  });
});

describe('a deletion leaves no more blank lines than there were', () => {
  it.each([
    ['⟨A⟩\n\n⟦function B() {}⟧\n\n⟨C⟩\n', 'A\n\nC\n'],
    ['⟨A⟩\n⟦function B() {}⟧\n\n⟨C⟩\n', 'A\n\nC\n'],
    ['⟨A⟩\n\n\n⟦function B() {}⟧\n\n⟨C⟩\n', 'A\n\n\nC\n'],
    ['⟦function B() {}⟧\n\n⟨C⟩\n', 'C\n'],
    ['{\n  ⟨A⟩\n\n  ⟦function B() {}⟧\n}\n', '{\n  A\n}\n'],
    ['{\n  ⟦function B() {}⟧\n\n  ⟨A⟩\n}\n', '{\n  A\n}\n'],
    ['⟦function B() {}⟧', ''],
    ['⟨A⟩\n⟦function B() {}⟧', 'A'],
    ['⟨A⟩\n⟦function B() {}⟧\n', 'A\n'],
  ])('%s', (marked, left) => {
    expect(edit(marked, { action: 'delete' })).toBe(left);
  });
});

describe('members that are separated by commas stay separated by commas', () => {
  const lone = 'const x = {\n  ⟦B: 1⟧\n};\n';
  it.each([
    ['replace', 'x = {\n  ⟦B: 1⟧, // one\n  ⟨C: 2⟩\n}\n', 'B: 3', 'x = {\n  B: 3,\n  C: 2\n}\n'],
    ['replace', 'x = {\n  ⟦B: 1,⟧\n  ⟨C: 2⟩\n}\n', 'B: 3, // b', 'x = {\n  B: 3, // b\n  C: 2\n}\n'],
    ['replace', 'x = {\n  ⟦B: 1⟧,\n}\n', 'B: 3 // b', 'x = {\n  B: 3, // b\n}\n'],
    ['replace', lone, 'B: 3', 'const x = {\n  B: 3\n};\n'],
    ['before', lone, 'A: 3', 'const x = {\n  A: 3,\n  B: 1\n};\n'],
    ['after', lone, 'C: 3', 'const x = {\n  B: 1,\n  C: 3\n};\n'],
    ['after', 'x = {\n  ⟨A: 1⟩,\n  ⟦B: 1⟧ // b\n}\n', 'C: 3', 'x = {\n  A: 1,\n  B: 1, // b\n  C: 3\n}\n'],
    ['after', 'x = {\n  ⟦B: 1⟧,\n  ⟨C: 2⟩\n}\n', 'D: 3', 'x = {\n  B: 1,\n  D: 3,\n  C: 2\n}\n'],
    ['after', 'class X {\n  ⟦B = 1⟧\n}\n', 'C = 3', 'class X {\n  B = 1\n  C = 3\n}\n'],
  ] as const)('%s in %j of %j', (action, marked, text, expected) => {
    expect(edit(marked, { action, text, kind: 'property' })).toBe(expected);
  });

  it('if that is not possible, nothing is changed', () => {
    const marked = 'enum E {\n  ⟨A⟩,\n  ⟦B⟧;\n}\n';
    const how = { action: 'after', text: 'C', file: 'a.java', kind: 'enum_member' } as const;
    expect(() => edit(marked, how)).toThrow(LspanError);
  });
});

it('a comment before a symbol on its line is not code, and stays unless the text brings another', () => {
  const marked = '/* one */ ⟦export function B() {}⟧\n';
  expect(edit(marked, { action: 'replace', text: 'function B() { x }' })).toBe(
    '/* one */ function B() { x }\n',
  );
  expect(edit(marked, { action: 'replace', text: '/* two */ function B() {}' })).toBe(
    '/* two */ function B() {}\n',
  );
  expect(edit(marked, { action: 'delete' })).toBe('');
});
