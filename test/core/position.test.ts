import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeColumn, encodeColumn, fromLineColumn, toLineColumn } from '../../src/core/position.ts';
import { withSeed } from '../with-seed.ts';

const line = 'a😀é字b';

/** What each encoding calls the border before each character of the line. */
const table = [
  { utf16: 0, utf8: 0, utf32: 0 },
  { utf16: 1, utf8: 1, utf32: 1 },
  { utf16: 3, utf8: 5, utf32: 2 },
  { utf16: 4, utf8: 7, utf32: 3 },
  { utf16: 5, utf8: 10, utf32: 4 },
  { utf16: 6, utf8: 11, utf32: 5 },
];

for (const { utf16, utf8, utf32 } of table) {
  it(`PRO-21 column ${utf16} of a line with wide characters is ${utf8} in UTF-8 and ${utf32} in UTF-32`, () => {
    expect(encodeColumn(line, utf16, 'utf-8')).toBe(utf8);
    expect(encodeColumn(line, utf16, 'utf-32')).toBe(utf32);
    expect(decodeColumn(line, utf8, 'utf-8')).toBe(utf16);
    expect(decodeColumn(line, utf32, 'utf-32')).toBe(utf16);
    expect(decodeColumn(line, utf16, 'utf-16')).toBe(utf16);
  });
}

it('PRO-21 on any line and any border, decoding undoes encoding, in all three encodings', () => {
  const encodings = fc.constantFrom('utf-8' as const, 'utf-16' as const, 'utf-32' as const);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), encodings, (text, pick, encoding) => {
      const borders = [0];
      for (const character of text) borders.push((borders.at(-1) ?? 0) + character.length);
      const column = borders[pick % borders.length] ?? 0;
      expect(decodeColumn(text, encodeColumn(text, column, encoding), encoding)).toBe(column);
    }),
    withSeed({ numRuns: 20_000 }),
  );
});

it('a column past the end of a line, or before it, is clamped to the line', () => {
  expect(decodeColumn('abc', 99, 'utf-8')).toBe(3);
  expect(decodeColumn('é', 99, 'utf-8')).toBe(1);
  expect(encodeColumn('abc', 99, 'utf-16')).toBe(3);
  expect(decodeColumn('abc', -5, 'utf-16')).toBe(0);
});

it('agents count from 1', () => {
  expect(toLineColumn({ line: 0, character: 0 })).toEqual({ line: 1, character: 1 });
  expect(fromLineColumn({ line: 1, character: 1 })).toEqual({ line: 0, character: 0 });
});
