import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LargeJson } from '../../src/jsonrpc/large-json.ts';
import { withSeed } from '../with-seed.ts';

/** What becomes of a text in pieces of this size. */
function parse(text: string, piece: number, depth = 256): unknown {
  const json = new LargeJson(Buffer.from(text), { piece, depth });
  for (;;) {
    const progress = json.advance();
    if (progress !== 'more') return progress === 'done' ? json.value : progress;
  }
}

function outcome(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(SyntaxError);
    return 'refused';
  }
}

const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '__proto__', 'constructor', '0', '1', '😀é字"\\', '\ud83d', '[{,:}]', '\u2028'),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.oneof(strings, fc.double({ noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(strings, tie('value')), { maxLength: 6 }).map((members) => new Map(members)),
  ),
})).value;
const piece = fc.integer({ min: 1, max: 60 });

/** JSON as it may be written: with blanks, escapes and members that are named twice. */
function write(value: unknown, blank: string, isEscaped: boolean): string {
  if (Array.isArray(value))
    return `[${blank}${value.map((one) => write(one, blank, isEscaped)).join(`${blank},${blank}`)}${blank}]`;
  if (value instanceof Map)
    return `{${blank}${[...value].map(([name, one]) => `${write(name, '', isEscaped)}${blank}:${blank}${write(one, blank, isEscaped)}`).join(`,${blank}`)}}`;
  const plain = JSON.stringify(value);
  if (typeof value !== 'string' || !isEscaped) return plain;
  return `"${value.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
}

const texts = fc
  .tuple(values, fc.constantFrom('', ' ', '\n\t '), fc.boolean())
  .map(([value, blank, isEscaped]) => write(value, blank, isEscaped));

describe('RES-01 JSON that is parsed in pieces', () => {
  it('is what the engine makes of the whole, however small the pieces are', () => {
    const agrees = fc.property(texts, piece, (text, size) => {
      const [ours, whole] = [parse(text, size), JSON.parse(text)];
      deepStrictEqual(ours, whole);
      expect(JSON.stringify(ours)).toBe(JSON.stringify(whole));
    });
    fc.assert(agrees, withSeed({ numRuns: 3000 }));
  });

  it('is refused where the engine refuses it', () => {
    const marks = fc.constantFrom(...'{}[],:"\\ 0-.e1tnu\u00a0x', '', ']]', '[]', '""', ',,');
    const where = fc.double({ min: 0, max: 1, noNaN: true });
    const spoilt = fc
      .tuple(texts, where, marks, fc.integer({ min: 0, max: 3 }))
      .map(([text, at, mark, gone]) => {
        const index = Math.floor(at * text.length);
        return text.slice(0, index) + mark + text.slice(index + gone);
      });
    const agrees = fc.property(spoilt, piece, (text, size) => {
      // Half of a pair is no UTF-8: frames with such are refused before.
      const clean = Buffer.from(text).toString();
      deepStrictEqual(
        outcome(() => parse(clean, size)),
        outcome(() => JSON.parse(clean)),
      );
    });
    fc.assert(agrees, withSeed({ numRuns: 6000 }));
  });

  it.each([
    '[1,2,3',
    '[1,,2]',
    '[1,2,]',
    '[,1]',
    '[[1,2,3]4,5]',
    '[[1,2,3][4,5,6]]',
    '{"a":[1,2,3]"b":1}',
    '{"a":[1,2,3],}',
    '{"a" [1,2,3]}',
    '{"a":"b":[1,2,3]}',
    '[1,2,3}',
    '[1,2,3]]',
    '[1,2,3] x',
    'x [1,2,3]',
    '[1,2,3] [4]',
    '"a" {}',
    '1,2',
    '["abcdefghijklmnop]',
    '["abcdefghijklmnop\\',
    '["abcdefgh\\u12"]',
    '[1 "abcdefghijklmnop"]',
    '{"abcdefghijklmnop"}',
    '',
    ' ',
  ])('is no JSON: %s', (text) => {
    for (const size of [1, 2, 5, 100]) expect(() => parse(text, size)).toThrow(SyntaxError);
  });

  it('may begin with a byte order mark, and be no list and no object', () => {
    expect(parse('\ufeff[1,2,3]', 2)).toEqual([1, 2, 3]);
    expect(parse('\ufeff"a long string of words"', 2)).toBe('a long string of words');
    expect(parse(' -12.5e3 ', 2)).toBe(-12500);
  });

  it('gives nobody a prototype', () => {
    const parsed = parse('{"a":1,"__proto__":{"b":[1,2,3,4]},"c":{"__proto__":[5,6,7,8]}}', 3);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(JSON.stringify(parsed)).toBe('{"a":1,"__proto__":{"b":[1,2,3,4]},"c":{"__proto__":[5,6,7,8]}}');
  });

  it('RES-03 is given up where it nests too deeply, without going deeper', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}1,2${']'.repeat(levels)}`;
    expect(parse(nested(20), 3, 20)).toEqual(JSON.parse(nested(20)));
    expect(parse(nested(21), 3, 20)).toBe('too_deep');
    expect(parse('[{"a":'.repeat(1_000_000), 1 << 16)).toBe('too_deep');
  });
});
