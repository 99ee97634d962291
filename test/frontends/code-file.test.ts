import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { readCodeFile, writeCodeFile } from '../../src/frontends/code-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lspan-code-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = {
  work: 12.5,
  modules: new Map([
    ['a.js', { stamp: '1 2 3', code: Buffer.from('compiled') }],
    ['é.js', { stamp: '4 5 6', code: Buffer.alloc(0) }],
    ['c.js', { stamp: '7 8 9', code: Buffer.alloc(4_097, 7) }],
  ]),
};

function written(): string {
  const file = path.join(folder, 'code');
  writeCodeFile(file, code);
  return file;
}

describe('compiled code', () => {
  it('is read as it was written, each part at a multiple of eight bytes', () => {
    const { work, modules } = readCodeFile(written());
    expect(work).toBe(12.5);
    expect(Array.from(modules, ([name, { code, stamp }]) => [name, code.length, stamp])).toEqual([
      ['a.js', 8, '1 2 3'],
      ['é.js', 0, '4 5 6'],
      ['c.js', 4_097, '7 8 9'],
    ]);
    expect(modules.get('a.js')?.code.toString()).toBe('compiled');
    expect(modules.get('c.js')?.code.equals(Buffer.alloc(4_097, 7))).toBe(true);
    for (const { code: part } of modules.values()) expect(part.byteOffset % 8).toBe(0);
  });

  it('is refused wherever one byte of its file differs, and wherever that ends early', () => {
    const file = written();
    const bytes = readFileSync(file);
    for (const at of [0, 31, 32, 40, 90, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      writeFileSync(file, damaged);
      expect(() => readCodeFile(file)).toThrow(/damaged/);
    }
    for (const end of [0, 10, 32, 33, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, end));
      expect(() => readCodeFile(file)).toThrow();
    }
  });

  it('is refused if others may have written it, or if it is reached by a link', () => {
    const file = written();
    const link = path.join(folder, 'link');
    symlinkSync(file, link);
    expect(() => readCodeFile(link)).toThrow();
    chmodSync(file, 0o622);
    expect(() => readCodeFile(file)).toThrow(/not private/);
  });

  it('leaves nothing behind where it cannot be written', () => {
    const file = path.join(folder, 'taken');
    mkdirSync(file);
    expect(() => writeCodeFile(file, code)).toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
  });

  it('is not kept beyond the bound of a file', () => {
    const file = path.join(folder, 'large');
    const modules = new Map([['a.js', { stamp: '', code: Buffer.alloc(limits.codeCache.largest) }]]);
    writeCodeFile(file, { work: 1, modules });
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });
});
