import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readTokenFile, tokenFileIn } from '../../../src/config/tokens/token-file.ts';
import { ensureToken, rotateTokens } from '../../../src/config/tokens/write-tokens.ts';
import { limits } from '../../../src/core/limits.ts';
import { makePipe, temporaryFolder } from '../temporary-folder.ts';

const first = `${'a'.repeat(42)}A`;
const second = `${'-_'.repeat(21)}8`;

/** A token file with a text, as only its owner can open it. */
function written(text = `${first}\n`): string {
  const folder = path.join(temporaryFolder(), 'lspan');
  mkdirSync(folder, { mode: 0o700 });
  const file = tokenFileIn(folder);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Distinct tokens, a line each. */
function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `${String(index).padStart(42, 'x')}A\n`).join('');
}

describe('a token file', () => {
  it.each([
    ['one line', `${first}\n`, [first]],
    ['no final newline', first, [first]],
    ['several, and blank lines', `\n${first}\n\n\n${second}\n\n`, [first, second]],
    ['the same twice', `${first}\n${first}\n`, [first]],
  ])('is read: %s', (_title, text, tokens) => {
    expect(readTokenFile(written(text))).toEqual({ tokens });
  });

  it(`may hold ${limits.http.tokens} tokens`, () => {
    expect(readTokenFile(written(lines(limits.http.tokens))).tokens).toHaveLength(limits.http.tokens);
  });

  it('may have blank lines up to the size limit', () => {
    const fill = (size: number) => `${first}${'\n'.repeat(size - first.length)}`;
    expect(readTokenFile(written(fill(limits.http.tokenFile))).tokens).toEqual([first]);
    expect(readTokenFile(written(fill(limits.http.tokenFile + 1))).fault?.message).toContain(
      'larger than 4 KiB',
    );
  });

  it('that does not exist has no token and no fault, also without its folder', () => {
    const file = written();
    rmSync(file);
    expect(readTokenFile(file)).toEqual({ tokens: [] });
    expect(readTokenFile(path.join(path.dirname(file), 'none', 'token'))).toEqual({ tokens: [] });
  });
});

describe('TRN-33 a malformed token file is refused as a whole and never quoted', () => {
  it.each<[string, string]>([
    ['empty', ''],
    ['only blank lines', '\n\n\n'],
    ['a character too few', first.slice(1)],
    ['a character too many', `a${first}`],
    ['bits that no 256-bit value has', `${first.slice(0, -1)}B`],
    ['plain base64', `${first.slice(0, -2)}+A`],
    ['padding', `${first}=`],
    ['a space before', ` ${first}`],
    ['a space after', `${first} `],
    ['a line of spaces', `${first}\n  \n`],
    ['a comment', `# mine\n${first}\n`],
    ['a CRLF line ending', `${first}\r\n`],
    ['a byte order mark', `\ufeff${first}\n`],
    ['a NUL', `${first}\n\0`],
    ['two on a line', `${first} ${second}\n`],
    ['a valid line and an invalid one', `${first}\n${second}x\n`],
    ['a name before it', `token=${first}\n`],
    ['binary content', Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString('latin1')],
    ['a line too many', lines(limits.http.tokens + 1)],
  ])('%s', (_title, text) => {
    const { tokens, fault } = readTokenFile(written(text));
    expect(tokens).toEqual([]);
    expect(fault?.code).toBe('refused');
    expect(fault?.message).toMatch(/^The token file \/.*\/lspan\/token is not used: it (has|is)|line \d/);
    expect(fault?.message).toContain('lspan token rotate');
    expect(fault?.nextStep).toContain('lspan token rotate');
    for (const line of text.split('\n').filter((one) => one.length > 8))
      expect(`${fault?.message}${fault?.nextStep}${fault?.stack}`).not.toContain(line);
  });
});

const spoiled: readonly [string, (file: string) => void, string][] = [
  ['readable by the group', (file) => chmodSync(file, 0o640), 'its mode is too wide'],
  ['readable by others', (file) => chmodSync(file, 0o604), 'its mode is too wide'],
  ['writable by others', (file) => chmodSync(file, 0o602), 'its mode is too wide'],
  ['executable by the group', (file) => chmodSync(file, 0o610), 'its mode is too wide'],
  ['a link to a valid file', (file) => moveAside(file, symlinkSync), 'it is a link'],
  ['a link to nothing', (file) => toNothing(file), 'it is a link'],
  ['one with a second hard link', (file) => moveAside(file, linkSync), 'it is a hard link'],
  ['a folder', (file) => replaced(file, mkdirSync), 'not a regular file'],
  ['a pipe', (file) => replaced(file, makePipe), 'not a regular file'],
];

describe('TRN-33 a token file that another user could read, write or replace is refused', () => {
  it.each(spoiled)('%s', (_title, spoil, why) => {
    const file = written();
    spoil(file);
    const { tokens, fault } = readTokenFile(file);
    expect(tokens).toEqual([]);
    expect(fault?.message).toContain(why);
    expect(() => ensureToken(file)).toThrow(why);
    expect(() => rotateTokens(file, { keep: true })).toThrow(why);
  });

  it.each(spoiled.filter(([title]) => title !== 'a folder'))(
    'rotating replaces %s by a valid file',
    (_title, spoil) => {
      const file = written();
      spoil(file);
      const token = rotateTokens(file, { keep: false });
      expect(readTokenFile(file)).toEqual({ tokens: [token] });
      const aside = `${file}-aside`;
      if (existsSync(aside)) expect(readFileSync(aside, 'utf8')).toBe(`${first}\n`);
    },
  );

  it.each(['770', '707', '750', '705', '711', '701'])('a folder of mode %s', (mode) => {
    const file = written();
    chmodSync(path.dirname(file), Number.parseInt(mode, 8));
    const told = /^The token folder .* is not used: .* chmod 700 ".*\/lspan"$/;
    expect(readTokenFile(file)).toMatchObject({
      tokens: [],
      fault: { message: expect.stringMatching(told) },
    });
    expect(() => ensureToken(file)).toThrow(told);
    expect(() => rotateTokens(file, { keep: false })).toThrow(told);
    expect(readFileSync(file, 'utf8')).toBe(`${first}\n`);
  });

  it('a file or folder of another user', () => {
    const file = written();
    const me = process.getuid?.() ?? 0;
    const asked = vi.spyOn(process, 'getuid');
    onTestFinished(() => asked.mockRestore());
    asked.mockReturnValueOnce(me).mockReturnValueOnce(me + 1);
    expect(readTokenFile(file).fault?.message).toContain('The token file');
    asked.mockReturnValueOnce(me + 1);
    expect(readTokenFile(file).fault?.message).toMatch(/^The token folder .* it belongs to another user\./);
  });

  it('modes are ignored on a platform without them', () => {
    const file = written();
    chmodSync(file, 0o666);
    chmodSync(path.dirname(file), 0o777);
    const { getuid } = process;
    Object.assign(process, { getuid: undefined });
    onTestFinished(() => void Object.assign(process, { getuid }));
    expect(readTokenFile(file)).toEqual({ tokens: [first] });
  });
});

function moveAside(file: string, make: (target: string, file: string) => void): void {
  renameSync(file, `${file}-aside`);
  make(`${file}-aside`, file);
}

function toNothing(file: string): void {
  rmSync(file);
  symlinkSync('nowhere', file);
}

function replaced(file: string, make: (file: string) => void): void {
  rmSync(file);
  make(file);
}
