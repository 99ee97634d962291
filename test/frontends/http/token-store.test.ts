import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readTokenFile } from '../../../src/config/tokens/token-file.ts';
import { rotateTokens } from '../../../src/config/tokens/write-tokens.ts';
import { limits } from '../../../src/core/limits.ts';
import { openTokenStore } from '../../../src/frontends/http/token-store.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

const { watch, compared, read, looked } = vi.hoisted(() => ({
  watch: vi.fn(),
  compared: vi.fn(),
  read: vi.fn(),
  looked: vi.fn(),
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, watch: watch.mockImplementation(fs.watch) };
});

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: compared.mockImplementation(crypto.timingSafeEqual) };
});

vi.mock('../../../src/platform/files/file-facts.ts', async (original) => {
  const { fileFacts } = await original<typeof import('../../../src/platform/files/file-facts.ts')>();
  return { fileFacts: (...given: Parameters<typeof fileFacts>) => looked(...given) ?? fileFacts(...given) };
});

vi.mock('../../../src/config/tokens/token-file.ts', async (original) => {
  const module = await original<typeof import('../../../src/config/tokens/token-file.ts')>();
  return { ...module, readTokenFile: read.mockImplementation(module.readTokenFile) };
});

/** Tokens in a state folder of their own, what they log, and who lost theirs. */
function open(roots: readonly string[] = []) {
  const state = temporaryFolder();
  const logged: { readonly level: string; readonly event: string; readonly fields: unknown }[] = [];
  const tokens = openTokenStore({
    environment: { XDG_STATE_HOME: state },
    roots,
    log: (level, event, fields) => logged.push({ level, event, fields }),
  });
  onTestFinished(() => tokens.close());
  const revoked: string[] = [];
  const waiting: (() => void)[] = [];
  tokens.onRevoked((holder) => {
    revoked.push(holder);
    for (const go of waiting.splice(0)) go();
  });
  /** Ends when somebody has lost a token since the beginning. */
  const revocation = () =>
    new Promise<void>((resolve) => (revoked.length > 0 ? resolve() : waiting.push(resolve)));
  const first = readTokenFile(tokens.file).tokens[0] ?? expect.unreachable();
  /** Who asks with a token, in a turn of its own: what comes together is judged by one look. */
  const request = (token: string) => turn().then(() => tokens.tokenIdOf(token));
  return { tokens, file: tokens.file, first, logged, revoked, revocation, request };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Has everything look as if it had been there for long. */
function later(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * limits.http.tokenSettles });
  onTestFinished(() => void vi.useRealTimers());
}

describe('who presents a token', () => {
  it('has a name that is the same each time and tells nothing of the token', () => {
    const { tokens, first, file } = open();
    const second = rotateTokens(file, { keep: true });
    const names = [first, second, first].map((token) => tokens.tokenIdOf(token));
    expect(names[0]).toBe(names[2]);
    expect(names[0]).not.toBe(names[1]);
    const hash = createHash('sha256').update(first).digest();
    for (const told of [first, hash.toString('hex'), hash.toString('base64url')])
      expect(told).not.toContain(names[0]?.slice(0, 8));
  });

  it('has another name in another process', () => {
    const { tokens, first, file } = open();
    const environment = { XDG_STATE_HOME: path.join(file, '../..') };
    const other = openTokenStore({ environment, roots: [], log: () => {} });
    onTestFinished(() => other.close());
    expect(other.tokenIdOf(first)).toBeTypeOf('string');
    expect(other.tokenIdOf(first)).not.toBe(tokens.tokenIdOf(first));
  });

  it('is nobody with anything else', () => {
    const { tokens, first, file } = open();
    const second = rotateTokens(file, { keep: true });
    const wrong = [
      '',
      ' ',
      first.slice(0, -1),
      first.slice(1),
      `${first} `,
      `${first}\n`,
      `${first}\n${second}`,
      first + second,
      first.toUpperCase(),
      [...first].reverse().join(''),
      createHash('sha256').update(first).digest('hex'),
      'x'.repeat(limits.http.header),
      'undefined',
      '__proto__',
    ];
    expect(wrong.map((token) => tokens.tokenIdOf(token))).toEqual(wrong.map(() => undefined));
  });

  it('TRN-02 is found by comparing hashes of one length, in constant time, with every token, also after the right one', async () => {
    const { request, first, file } = open();
    const held = [first, ...Array.from({ length: 4 }, () => rotateTokens(file, { keep: true }))];
    const hashes = held.map((token) => createHash('sha256').update(token).digest('hex'));
    const given = [...held, '', 'x', `${first.slice(0, -1)}!`, `!${first.slice(1)}`, 'x'.repeat(10_000)];
    for (const token of given) {
      compared.mockClear();
      await request(token);
      const hash = createHash('sha256').update(token).digest('hex');
      const pairs = compared.mock.calls.map((pair) => pair.map((side) => side.toString('hex')));
      expect(pairs).toEqual(hashes.map((one) => [one, hash]));
    }
  });

  it('INF-02 leaves no trace of it in what a child would be given', () => {
    const { first, file } = open();
    const second = rotateTokens(file, { keep: false });
    const given = JSON.stringify([process.env, process.argv, process.execArgv, process.title]);
    for (const token of [first, second]) expect(given).not.toContain(token);
  });
});

describe('rotating', () => {
  it('TRN-33 counts for the very next request', async () => {
    const { file, first, revoked, request } = open();
    const holder = await request(first);
    const second = rotateTokens(file, { keep: false });
    expect(await request(first)).toBeUndefined();
    expect(await request(second)).toBeTypeOf('string');
    expect(revoked).toEqual([holder]);
  });

  it('TRN-33 between requests that come together counts for the second before anything is done for it', async () => {
    watch.mockImplementationOnce(() => ({ on: () => ({ close: () => {} }) }));
    const { tokens, file, first, revoked } = open();
    await turn();
    const holder = tokens.tokenIdOf(first);
    expect(tokens.confirmed()).toBeUndefined();
    const second = rotateTokens(file, { keep: false });
    expect(tokens.tokenIdOf(first)).toBe(holder);
    expect(revoked).toEqual([]);
    await tokens.confirmed();
    expect(revoked).toEqual([holder]);
    expect(tokens.tokenIdOf(first)).toBeUndefined();
    expect(tokens.tokenIdOf(second)).toBeTypeOf('string');
    expect(tokens.confirmed()).toBeInstanceOf(Promise);
  });

  it('TRN-33 lets the new token in with a request that comes together with one before', async () => {
    watch.mockImplementationOnce(() => ({ on: () => ({ close: () => {} }) }));
    const { tokens, file, first, revoked } = open();
    await turn();
    const holder = tokens.tokenIdOf(first);
    const second = rotateTokens(file, { keep: false });
    expect(tokens.tokenIdOf(second)).toBeTypeOf('string');
    expect(revoked).toEqual([holder]);
  });

  it('TRN-33 is told at once to those whose token has gone, without a request', async () => {
    const { tokens, file, first, revoked, revocation } = open();
    const holder = tokens.tokenIdOf(first);
    rotateTokens(file, { keep: false });
    await revocation();
    expect(revoked).toEqual([holder]);
  });

  it('and keeping revokes nobody', async () => {
    const { file, first, revoked, logged, request } = open();
    const holder = await request(first);
    const second = rotateTokens(file, { keep: true });
    expect(await request(second)).toBeTypeOf('string');
    expect(await request(first)).toBe(holder);
    expect([revoked, logged]).toEqual([[], []]);
  });

  it('of one line revokes its holder alone', async () => {
    const { tokens, file, first, revoked, revocation } = open();
    const second = rotateTokens(file, { keep: true });
    const names = [first, second].map((token) => tokens.tokenIdOf(token));
    writeFileSync(file, `${second}\n`);
    await revocation();
    expect(revoked).toEqual([names[0]]);
    expect(tokens.tokenIdOf(second)).toBe(names[1]);
  });

  it('in place, to a text of the same length, within one tick of a coarse clock is seen too', async () => {
    const { file, first, request } = open();
    expect(await request(first)).toBeTypeOf('string');
    const before = new Map([file, path.dirname(file)].map((one) => [one, statSync(one, { bigint: true })]));
    looked.mockImplementation((one: string) => before.get(one));
    onTestFinished(() => void looked.mockReset());
    const second = `${'y'.repeat(42)}A`;
    writeFileSync(file, `${second}\n`);
    expect(await request(first)).toBeUndefined();
    expect(await request(second)).toBeTypeOf('string');
  });

  it.each(['has no watch left', 'says nothing'])(
    'is seen by the next request, or the next look, where the system %s',
    (how) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      watch.mockImplementationOnce(() => {
        if (how === 'has no watch left') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        return { on: () => ({ close: () => {} }) };
      });
      const { tokens, file, first, revoked } = open();
      const holder = tokens.tokenIdOf(first);
      const second = rotateTokens(file, { keep: false });
      expect(revoked).toEqual([]);
      vi.advanceTimersByTime(limits.http.tokenCheckEvery);
      expect(revoked).toEqual([holder]);
      expect(tokens.tokenIdOf(second)).toBeTypeOf('string');
    },
  );
});

describe('a file that looks as it did', () => {
  it('is not read again, until it is another', async () => {
    const { file, first, request } = open();
    later();
    await request(first);
    read.mockClear();
    for (let times = 0; times < 100; times += 1) await request(first);
    expect(read).not.toHaveBeenCalled();
    rotateTokens(file, { keep: false });
    read.mockClear();
    expect(await request(first)).toBeUndefined();
    expect(read).toHaveBeenCalled();
  });
});

/** What can happen to the file while lspan runs, and how it is put right. */
const accidents: readonly [string, (file: string) => void, (file: string) => void][] = [
  ['becomes readable by others', (file) => chmodSync(file, 0o644), (file) => chmodSync(file, 0o600)],
  ['gets a line that is no token', (file) => append(file, 'x\n'), (file) => cutOff(file, 2)],
  ['gets a second name', (file) => linkSync(file, `${file}-2`), (file) => rmSync(`${file}-2`)],
  ['is moved away', (file) => renameSync(file, `${file}-2`), (file) => renameSync(`${file}-2`, file)],
  [
    'becomes a link',
    (file) => {
      renameSync(file, `${file}-2`);
      symlinkSync(`${file}-2`, file);
    },
    (file) => renameSync(`${file}-2`, file),
  ],
  [
    'lies in a folder that becomes open to others',
    (file) => chmodSync(path.dirname(file), 0o755),
    (file) => chmodSync(path.dirname(file), 0o700),
  ],
  [
    'goes with its folder',
    (file) => renameSync(path.dirname(file), `${path.dirname(file)}-2`),
    (file) => renameSync(`${path.dirname(file)}-2`, path.dirname(file)),
  ],
];

describe('a file that can no longer be believed', () => {
  it.each(accidents)(
    'when it %s: no token holds, all are revoked at once, and it is told once',
    async (_title, happen, repair) => {
      const { file, first, revoked, revocation, logged, request } = open();
      later();
      const holder = await request(first);
      happen(file);
      await revocation();
      expect(revoked).toEqual([holder]);
      for (let times = 0; times < 3; times += 1) expect(await request(first)).toBeUndefined();
      expect(logged.filter(({ level }) => level === 'error')).toEqual([
        { level: 'error', event: 'token_file_refused', fields: { why: expect.stringContaining('lspan') } },
      ]);
      expect(JSON.stringify(logged)).not.toContain(first);
      repair(file);
      expect(await request(first)).toBeTypeOf('string');
      expect(logged.at(-1)).toMatchObject({ level: 'info', event: 'token_file_accepted' });
    },
  );

  it('a folder that is put in the place of the old one is watched in its turn', async () => {
    const { tokens, file, first, revoked, revocation } = open();
    const folder = path.dirname(file);
    renameSync(folder, `${folder}-2`);
    mkdirSync(folder, { mode: 0o700 });
    const second = rotateTokens(file, { keep: false });
    await revocation();
    expect(tokens.tokenIdOf(first)).toBeUndefined();
    revoked.splice(0);
    const holder = tokens.tokenIdOf(second);
    rotateTokens(file, { keep: false });
    await revocation();
    expect(revoked).toEqual([holder]);
  });
});

describe('opening', () => {
  it('makes the first token, for its owner alone', () => {
    const { file, first } = open();
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('TRN-33 refuses a file that is wrong, and leaves it as it is', () => {
    const state = temporaryFolder();
    const file = path.join(state, 'lspan', 'token');
    mkdirSync(path.dirname(file), { mode: 0o700 });
    writeFileSync(file, 'canary-0123456789\n', { mode: 0o600 });
    const environment = { XDG_STATE_HOME: state };
    expect(() => openTokenStore({ environment, roots: [], log: () => {} })).toThrow(
      'line 1 is not exactly one token',
    );
    expect(readFileSync(file, 'utf8')).toBe('canary-0123456789\n');
  });

  it('SUP-04 refuses a state folder in the workspace, also through a link, and makes nothing there', () => {
    const root = temporaryFolder({ 'deep/a.ts': '' });
    const outside = temporaryFolder();
    symlinkSync(path.join(root, 'deep'), path.join(outside, 'link'));
    for (const state of [root, path.join(root, 'deep'), path.join(outside, 'link')]) {
      const parts = {
        environment: { XDG_STATE_HOME: state },
        roots: [temporaryFolder(), root],
        log: () => {},
      };
      expect(() => openTokenStore(parts)).toThrow(/inside the workspace.* Set XDG_STATE_HOME/);
    }
    expect(() => statSync(path.join(root, 'lspan'))).toThrow('ENOENT');
    expect(() => statSync(path.join(root, 'deep/lspan'))).toThrow('ENOENT');
  });

  it('and closing: then nothing holds and nobody is told', () => {
    const { tokens, file, first, revoked } = open();
    tokens.close();
    expect(tokens.tokenIdOf(first)).toBeUndefined();
    rotateTokens(file, { keep: false });
    expect(revoked).toEqual([]);
  });
});

function append(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'a' });
}

function cutOff(file: string, length: number): void {
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -length));
}
