import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScip } from '../../../src/backends/index/scip/read-scip.ts';
import { joinText, kindOf, parseSymbol, symbolName } from '../../../src/backends/index/scip/scip-symbol.ts';
import { LspanError } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { ByteReader } from '../../../src/platform/large-files/byte-reader.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';
import { indexWords, message, text, varint, writeScip } from './write-scip.ts';

describe('a SCIP index', () => {
  it('is read document by document', () => {
    const parts = read(indexWords({ 'a.txt': 'function alpha\nalpha', 'b/c.txt': 'alpha' }));
    expect(parts.map((part) => part.kind)).toEqual(['metadata', 'document', 'document']);
    expect(parts[1]).toMatchObject({
      path: 'a.txt',
      occurrences: [
        {
          symbol: 'words test words 1.0.0 alpha().',
          isDefinition: true,
          startLine: 0,
          startColumn: 9,
          endColumn: 14,
        },
        { isDefinition: false, startLine: 1, startColumn: 0, endLine: 1, endColumn: 5 },
      ],
    });
  });

  const whole = indexWords({ 'a.txt': 'function alpha\nalpha' });

  it('IDX-04 that is cut off anywhere is refused, or is what comes before', () => {
    for (let end = 1; end < whole.length; end++) {
      const told = attempt(whole.subarray(0, end));
      if (told instanceof LspanError) expect(told).toMatchObject({ code: 'invalid_input' });
      else expect(told.length).toBeLessThan(2);
    }
  });

  it('IDX-04 with any byte changed is refused or read, and never fails otherwise', () => {
    for (let at = 0; at < whole.length; at++)
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ bit;
        const told = attempt(changed);
        if (told instanceof LspanError) expect(told.code).toBe('invalid_input');
      }
  });

  const wrongPaths = ['/etc/passwd', '../x', 'a/../b', './a', 'a//b', 'C:/x', 'a\\b', 'a\u0000', ''];
  it.each(wrongPaths)('IDX-05 with the path %j is refused', (wrong) => {
    expect(refusal(writeScip([{ path: wrong, occurrences: [] }])).message).toMatch(
      /not a path in a repository/,
    );
  });

  it.each([[[]], [[1, 2]], [[1, 5, 2]], [[1, 2, 0, 3]], [[1, 2, 3, 4, 5]], [[2 ** 33, 0, 1]]])(
    'with the range %j is refused',
    (range) => {
      const wrong = writeScip([{ path: 'a', occurrences: [[range, 'words test w 1 a().', true]] }]);
      expect(refusal(wrong).message).toMatch(/a range is none/);
    },
  );

  it('IDX-04 with a million levels is read like any other, since what is unknown is not looked into', () => {
    const depth = 1_000_000;
    const bytes = Buffer.alloc(7 * depth);
    let start = bytes.length;
    // From the inside out: each level has the length of all within it.
    for (let level = 0; level < depth; level++) {
      const length = varint(bytes.length - start);
      start -= length.copy(bytes, start - length.length);
      start -= head.copy(bytes, start - head.length);
    }
    const nested = bytes.subarray(start);
    const deep = message(2, Buffer.concat([text(1, 'a.txt'), nested]));
    expect(read(deep)).toMatchObject([{ kind: 'document', path: 'a.txt' }]);
  });

  it('IDX-04 with a huge text or a length beyond the file is refused before it is read', () => {
    const symbol = 'x'.repeat(limits.index.symbol + 1);
    expect(refusal(writeScip([{ path: 'a', occurrences: [[[0, 0, 1], symbol]] }])).message).toMatch(
      /a text has/,
    );
    const lie = Buffer.concat([varint(2 * 8 + 2), varint(2 ** 40), Buffer.alloc(10)]);
    expect(refusal(lie).message).toMatch(/leads past its end/);
    expect(refusal(Buffer.alloc(4096, 0xff)).message).toMatch(/a number is too long/);
  });

  it('has a next step in every refusal', () => {
    expect(refusal(Buffer.from('no index at all')).nextStep).toMatch(/Nothing was changed/);
  });
});

const head = varint(99 * 8 + 2);

describe('a symbol of SCIP', () => {
  it('is taken apart', () => {
    const symbol = 'scip-typescript npm @a/b 1.0.0 src/`cart.ts`/Cart#`weird ``name`().(item)';
    expect(parseSymbol(symbol)).toEqual({
      manager: 'npm',
      package: '@a/b',
      version: '1.0.0',
      descriptors: [
        { name: 'src', kind: 'namespace' },
        { name: 'cart.ts', kind: 'namespace' },
        { name: 'Cart', kind: 'type' },
        { name: 'weird `name', kind: 'method' },
        { name: 'item', kind: 'parameter' },
      ],
    });
    expect(symbolName(parseSymbol('s npm p 1 `a.ts`/Cart#total().'))).toEqual({
      name: 'total',
      container: 'Cart',
    });
    expect(symbolName(parseSymbol('s npm p 1 `a.ts`/deadline0:')).name).toBe('deadline');
    expect(kindOf(parseSymbol('s npm p 1 `a.ts`/Cart#total().'))).toBe('method');
    expect(parseSymbol('a  b npm two  words . x#')).toMatchObject({ package: 'two words', version: '' });
    expect(parseSymbol('nothing')).toBeUndefined();
  });

  const join = (symbol: string, repository = 'here') => joinText(symbol, repository);

  it('is the same in every version, in the sources and in what is built of them', () => {
    expect(join('s npm cart 1.0.0 src/`cart.ts`/add().')).toBe(
      join('s npm cart 2.0.0 dist/`cart.d.ts`/add().', 'web'),
    );
    expect(join('s npm cart 1.0.0 src/`cart.ts`/add().')).not.toBe(
      join('s npm card 1.0.0 src/`cart.ts`/add().'),
    );
    expect(join('s npm cart 1.0.0 src/`a.ts`/add().')).not.toBe(join('s npm cart 1.0.0 src/`b.ts`/add().'));
  });

  it('without a package is of its own repository', () => {
    expect(join('s . . . a/b().')).not.toBe(join('s . . . a/b().', 'web'));
  });
});

function read(bytes: Buffer) {
  const name = path.join(temporaryFolder(), 'index.scip');
  writeFileSync(name, bytes);
  const file = new ByteReader(name);
  try {
    return [...readScip(file)];
  } finally {
    file.close();
  }
}

function attempt(bytes: Buffer) {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof LspanError) return error;
    throw error;
  }
}

function refusal(bytes: Buffer): LspanError {
  const told = attempt(bytes);
  if (told instanceof LspanError) return told;
  throw new Error('it was not refused');
}
