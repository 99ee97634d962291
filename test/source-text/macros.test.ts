import { expect, it } from 'vitest';
import {
  isAttributePath,
  isConditionalMacro,
  joinedPartsOf,
  macroAt,
  macrosOver,
} from '../../src/source-text/macros.ts';
import { occurrences } from '../../src/source-text/words.ts';

it.each([
  ['a.h', '#define TOTAL(c) (c).x()\nint x;', ['TOTAL', undefined]],
  ['a.h', '#  define LONG \\\n  x + \\\r\n  x\nx', ['LONG', 'LONG', undefined]],
  ['a.cc', '#define TWICE(x, y) (x) + (y)\n#define OTHER(y) (y) + x', ['parameter', 'parameter', 'OTHER']],
  ['a.c', 'int f(void) { return x; }', [undefined]],
  ['a.rs', 'macro_rules! m {\n  ($a:expr) => {{ $crate::x($a, [x]) }};\n}\nfn x() {}', ['m', 'm', undefined]],
  ['a.rs', 'macro_rules! m (() => (x)); x', ['m', undefined]],
  ['a.rs', 'macro_rules! m { ( x', ['m']],
  ['a.ts', '#define A x', [undefined]],
])('%s: a word in the definition of a macro is known: %j', (file, text, expected) => {
  const found = occurrences(text, 'x').map((offset) => macroAt(file, text, offset, 'x'));
  expect(found.map((macro) => (macro?.isParameter ? 'parameter' : macro?.name))).toEqual(expected);
});

it.each([
  ['#ifndef NS\n#define x y\n#endif', true],
  ['#if A\n#else\n#  define x(a) y(a)\n#endif', true],
  ['#if A\n#endif\n#define x y', false],
  ['#ifndef A_H\n#define A_H\n#define x y\n#endif', false],
  ['#ifndef A_H\n#define A_H\n#ifdef B\n#define x y\n#endif\n#endif', true],
  ['#ifdef B\nint x;\n#endif', false],
])('a macro that is defined under a condition: %j', (text, expected) => {
  const offset = occurrences(text, 'x')[0] ?? 0;
  expect(isConditionalMacro('a.c', text, offset, 'x')).toBe(expected);
});

it('takes time in proportion to the text, whatever the text', () => {
  for (const part of ['#define A ', '#define A(', '\\', '\n#', 'macro_rules! m {', '{', ' \t'])
    for (const file of ['a.c', 'a.rs']) macroAt(file, `${part.repeat(50_000)} x`, 1, 'x');
});

it.each([
  ['#[serde(with = "x")]', true],
  ['#[serde(default = "a::b::x", rename = "y")]', true],
  ['#[serde(\n  skip_serializing_if = "Option::x"\n)]', true],
  ['#[serde(rename = "x")]', false],
  ['#[cfg(feature = "x")]', false],
  ['#[error("no x")]', false],
  ['#[serde(with = "x::y")]', false],
  ['#[a]\nlet b = "x";', false],
  ['let with = "x";', false],
])('an attribute gives a path to a macro: %s', (text, expected) => {
  const start = occurrences(text, 'x')[0] ?? 0;
  expect(isAttributePath('a.rs', text, { start, end: start + 1 })).toBe(expected);
});

it.each([
  ['#define CALL(of) of ## _open()\nCALL( file ); CALL(net);', 'file_open', '_open', 1],
  ['#define TABLE(E) \\\n  E ## \\\n  isFirst, E ## isNext\nTABLE(utf8_)', 'utf8_isNext', 'isNext', 1],
  ['#define MAKE(of) open_##of', 'open_file', 'open_', 0],
  ['#define MAKE(of) open_##of', 'open', undefined, undefined],
  ['#define ID(a, b) a##b', 'file_b', undefined, undefined],
])('what %j joins may give %s by %s, %s times', (text, name, word, times) => {
  const [part] = joinedPartsOf(text, name);
  expect(part && /^\w+/.exec(text.slice(part.offset))?.[0]).toBe(word);
  expect(part?.uses.length).toBe(times);
});

it.each([
  ['CALL(net); CALL( disk )', true],
  ['#undef CALL\n#ifdef CALL\n#endif\nCALL(net);', true],
  ['', false],
  ['CALL(first(net));', false],
  ['#define ALL(x) CALL(x)\nALL(file)\nCALL(net)', false],
  ['#define NET file\nCALL(NET)', false],
  ['CALL(net); run(CALL);', false],
])('whether the text shows every name that a macro joins: %j', (uses, expected) => {
  const [part] = joinedPartsOf(`#define CALL(of) of ## _open()\n${uses}\n`, 'file_open');
  expect(part?.isSettled).toBe(expected);
});

it('what a macro joins of more than two words, or of no parameter, is not settled', () => {
  for (const body of ['handle_ ## x ## _event', 'y ## x ## _event', 'y ## _event']) {
    const [part] = joinedPartsOf(`#define H(x) ${body}\nH(key)\n`, 'handle_click_event');
    expect(part?.isSettled, body).toBe(false);
  }
});

async function* eachOf(texts: readonly string[]) {
  yield* texts;
}

it('macros over a name have it in their text, or the name of a macro over it, in any order', async () => {
  const texts = [
    '#define LEAST() LOWEST()\n#define JOIN(n) L_##n\n#define OWN(L_LOW) L_LOW\n',
    '#define LOWEST() L_LOW\n',
  ];
  const wanted = new Set(['LOWEST', 'LEAST', 'JOIN', 'OWN']);
  expect([...(await macrosOver(eachOf(texts), 'L_LOW', wanted))]).toEqual(['LOWEST', 'LEAST']);
});

it('no text is read for macros over a name once all that are wanted are found', async () => {
  const read: number[] = [];
  async function* texts() {
    for (const part of [1, 2, 3]) {
      read.push(part);
      yield `#define M${part} ${part === 1 ? 'M2' : 'NAME'}\n`;
    }
  }
  expect([...(await macrosOver(texts(), 'NAME', new Set(['M1'])))]).toEqual(['M1']);
  expect(read).toEqual([1, 2]);
});

// What follows takes minutes if a text is parsed for every macro in it, or a mark is retried at every blank.

it('follows long chains of macros in time in proportion to their texts', async () => {
  const chain = Array.from({ length: 50_000 }, (_, index) => `#define R_${index} (R_${index - 1} + 1)\n`);
  const texts = [chain.join(''), chain.toReversed().join('')];
  expect((await macrosOver(eachOf(texts), 'R_0', new Set(['R_49999', 'NONE']))).size).toBe(1);
});

it.each([
  ['blanks', `#define A(x) x${' '.repeat(200_000)}y ## _open\n`],
  ['a long word', `#define A(x) ${'x'.repeat(300_000)} ## _open\n`],
  ['blanks before a use', `#define A(x) x ## _open\n${' '.repeat(400_000)}A(file)\n`],
  ['joins', `#define A(x) ${'x ## _open '.repeat(30_000)}\n`],
  [
    'macros',
    Array.from({ length: 30_000 }, (_, at) => `#define A${at}(x) x ## _open\nA${at}(file)\n`).join(''),
  ],
  ['uses', `#define A(x) x ## _open\n${'A(net);\n#define B 1\n'.repeat(100_000)}`],
])('finds joined words in time in proportion to the text, whatever the text: %s', (_which, text) => {
  expect(joinedPartsOf(text, 'file_open').length).toBeGreaterThan(0);
});

it('finds the guard of a header in time in proportion to the text', () => {
  const text = `#ifndef A${' '.repeat(300_000)}\n#define x 1\n`;
  expect(isConditionalMacro('a.h', text, text.indexOf('x'), 'x')).toBe(true);
});
