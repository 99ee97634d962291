import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTokenFile } from '../../../src/config/tokens/token-file.ts';
import { ensureToken, rotateTokens } from '../../../src/config/tokens/write-tokens.ts';
import { limits } from '../../../src/core/limits.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function freshPlace(): string {
  return path.join(temporaryFolder(), 'state', 'lspan', 'token');
}

/** Sets the umask until the test ends. */
function mask(bits: number): void {
  const before = process.umask(bits);
  onTestFinished(() => void process.umask(before));
}

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

describe('the first token', () => {
  it('has 256 bits, and a later start finds it', () => {
    const file = freshPlace();
    ensureToken(file);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(Buffer.from(text.trim(), 'base64url')).toHaveLength(32);
    ensureToken(file);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
    const other = freshPlace();
    ensureToken(other);
    expect(readFileSync(other, 'utf8')).not.toBe(text);
  });

  it.each(['000', '022', '077'])('INF-10 TRN-33 is 0600 in a folder of 0700 under umask %s', (bits) => {
    const file = freshPlace();
    mask(Number.parseInt(bits, 8));
    ensureToken(file);
    expect([modeOf(file), modeOf(path.dirname(file)), modeOf(path.join(file, '../..'))]).toEqual([
      '600',
      '700',
      '700',
    ]);
    rotateTokens(file, { keep: true });
    expect(modeOf(file)).toBe('600');
  });

  it('INF-10 is 0600 also under a umask that restricts the owner', () => {
    const file = freshPlace();
    mkdirSync(path.join(file, '../..'), { mode: 0o700 });
    mask(0o777);
    ensureToken(file);
    expect([modeOf(file), modeOf(path.dirname(file))]).toEqual(['600', '700']);
  });

  it('TRN-33 is not written through an existing link', () => {
    const file = freshPlace();
    ensureToken(file);
    rmSync(file);
    const target = path.join(temporaryFolder(), 'target');
    symlinkSync(target, file);
    expect(() => ensureToken(file)).toThrow('it is a link');
    expect(existsSync(target)).toBe(false);
  });

  it('is found also if its maker was killed before it removed the draft', () => {
    const file = freshPlace();
    ensureToken(file);
    linkSync(file, `${file}.0123456789abcdef.new`);
    const { tokens } = readTokenFile(file);
    expect(tokens).toHaveLength(1);
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
  });

  it('cannot be made if a file is in place of the folder, and the error says so', () => {
    const folder = temporaryFolder({ state: '' });
    expect(() => ensureToken(path.join(folder, 'state', 'token'))).toThrow('it is not a folder.');
    expect(() => ensureToken(path.join(folder, 'state', 'lspan', 'token'))).toThrow(
      /cannot be written \(ENOTDIR\)\. .*XDG_STATE_HOME/,
    );
  });
});

describe('rotating', () => {
  it('leaves one new token, in a new file', () => {
    const file = freshPlace();
    ensureToken(file);
    const before = { ...readTokenFile(file), inode: statSync(file).ino };
    const token = rotateTokens(file, { keep: false });
    expect(before.tokens).not.toContain(token);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
    expect(statSync(file).ino).not.toBe(before.inode);
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
  });

  it.each([false, true])('creates the first token if there is none; keep: %s', (keep) => {
    const file = freshPlace();
    const token = rotateTokens(file, { keep });
    expect(readTokenFile(file)).toEqual({ tokens: [token] });
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
  });

  it(`keeps the others on request, up to ${limits.http.tokens}`, () => {
    const file = freshPlace();
    const made = Array.from({ length: limits.http.tokens }, () => rotateTokens(file, { keep: true }));
    expect(readTokenFile(file).tokens).toEqual(made);
    expect(() => rotateTokens(file, { keep: true })).toThrow(
      /^There are already 32 tokens, .* lspan token rotate$/,
    );
    expect(readTokenFile(file).tokens).toEqual(made);
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
    expect(readTokenFile(file).tokens).not.toContain(rotateTokens(file, { keep: false }));
  });

  it('never waits: while another process rotates, it says to try again', () => {
    const file = freshPlace();
    ensureToken(file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(`${file}.lock`, '');
    expect(() => rotateTokens(file, { keep: false })).toThrow('Try again in 10 s at most.');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  it('ignores and removes the files of a process that was killed while rotating', () => {
    const file = freshPlace();
    ensureToken(file);
    const past = (Date.now() - limits.http.tokenWriting) / 1000 - 1;
    for (const left of [`${file}.lock`, `${file}.0123456789abcdef.new`]) {
      writeFileSync(left, 'half');
      utimesSync(left, past, past);
    }
    rotateTokens(file, { keep: false });
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
  });
});
