import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootAround, stateFolder } from '../../../src/config/state-folder.ts';
import {
  readTrustFile,
  removeTrust,
  type TrustRecord,
  trustFileIn,
  writeTrust,
} from '../../../src/config/trust/trust-file.ts';
import { limits } from '../../../src/core/limits.ts';
import { makePipe, temporaryFolder } from '../temporary-folder.ts';

const record = (root: string): TrustRecord => ({
  root,
  when: '2026-01-01T00:00:00.000Z',
  servers: [{ id: 'linter', files: [['a.cfg', '0'.repeat(64)]] }],
});

/** A trust file with a record of one folder. */
function written(): string {
  const file = trustFileIn(path.join(temporaryFolder(), 'state', 'lspan'));
  writeTrust(file, record('/one'));
  return file;
}

const mode = (file: string) => statSync(file).mode & 0o777;

describe('the trust file', () => {
  it('is private to the user, in a private folder', () => {
    const file = written();
    expect(mode(file)).toBe(0o600);
    expect(mode(path.dirname(file))).toBe(0o700);
    expect(readTrustFile(file)).toEqual({ records: [record('/one')] });
  });

  it('has one record per folder, and none after a revocation', () => {
    const file = written();
    writeTrust(file, record('/two'));
    writeTrust(file, { ...record('/one'), servers: [] });
    expect(readTrustFile(file).records).toEqual([record('/two'), { ...record('/one'), servers: [] }]);
    removeTrust(file, '/two');
    expect(readTrustFile(file).records.map(({ root }) => root)).toEqual(['/one']);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('that does not exist trusts nothing, without a warning', () => {
    expect(readTrustFile(path.join(temporaryFolder(), 'none', 'trust.json'))).toEqual({ records: [] });
  });

  it('accepts names of prototype properties', () => {
    const file = written();
    const odd: TrustRecord = {
      ...record('/odd'),
      servers: [{ id: '__proto__', files: [['__proto__', 'f'.repeat(64)]] }],
    };
    writeTrust(file, odd);
    expect(readTrustFile(file).records).toContainEqual(odd);
  });
});

describe('a trust file that cannot be believed trusts nothing, and says why', () => {
  it.each<[string, (file: string) => void, string]>([
    ['others may read it', (file) => chmodSync(file, 0o640), 'its mode is too wide'],
    ['others may write it', (file) => chmodSync(file, 0o602), 'its mode is too wide'],
    ['others may write its folder', (file) => chmodSync(path.dirname(file), 0o777), 'its mode is too wide'],
    ['it is cut off', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9)), 'not JSON'],
    ['it is empty', (file) => writeFileSync(file, ''), 'not JSON'],
    ['it is of another version', (file) => writeFileSync(file, '{"version": 2, "roots": []}'), 'format'],
    [
      'it has a field that lspan does not write',
      (file) => writeFileSync(file, '{"version": 1, "roots": [], "all": true}'),
      'format',
    ],
    [
      'a hash is malformed',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('00000', '*')),
      'format',
    ],
    [
      'it is larger than its limit',
      (file) => writeFileSync(file, ' '.repeat(limits.trust.store + 1)),
      'larger than',
    ],
  ])('%s', (_title, spoil, why) => {
    const file = written();
    spoil(file);
    const { records, wrong } = readTrustFile(file);
    expect(records).toEqual([]);
    expect(wrong).toMatch(/^Nothing is trusted, because /);
    expect(wrong).toContain(why);
    expect(() => writeTrust(file, record('/two'))).toThrow('The trust was not changed. Nothing is trusted');
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it('it is a link or a pipe', () => {
    const target = written();
    const folder = temporaryFolder();
    const link = path.join(folder, 'trust.json');
    symlinkSync(target, link);
    expect(readTrustFile(link)).toMatchObject({
      records: [],
      wrong: expect.stringContaining('it is a link'),
    });
    const pipe = path.join(folder, 'pipe.json');
    makePipe(pipe);
    expect(readTrustFile(pipe)).toMatchObject({
      records: [],
      wrong: expect.stringContaining('not a regular file'),
    });
  });
});

describe('two concurrent writers', () => {
  it('lose nothing: one must try again', () => {
    const file = written();
    writeFileSync(`${file}.new`, '');
    expect(() => writeTrust(file, record('/two'))).toThrow('Another lspan is writing');
    expect(existsSync(`${file}.new`)).toBe(true);
    expect(readTrustFile(file).records).toEqual([record('/one')]);
  });

  it('do not block each other forever if one was killed while writing', () => {
    const file = written();
    writeFileSync(`${file}.new`, 'half');
    const past = (Date.now() - limits.trust.writing) / 1000 - 1;
    utimesSync(`${file}.new`, past, past);
    writeTrust(file, record('/two'));
    expect(readTrustFile(file).records).toHaveLength(2);
  });
});

describe('the state folder', () => {
  it('follows the platform; a relative XDG_STATE_HOME is ignored', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/s', HOME: '/h' }, 'linux')).toBe('/s/lspan');
    expect(stateFolder({ XDG_STATE_HOME: 's', HOME: '/h' }, 'linux')).toBe('/h/.local/state/lspan');
    expect(stateFolder({ HOME: '/h' }, 'darwin')).toBe('/h/.local/state/lspan');
    expect(stateFolder({ LOCALAPPDATA: '/l', HOME: '/h' }, 'win32')).toBe('/l/lspan');
  });

  it('SUP-04 is recognised inside a workspace, also through links and before it exists', () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    mkdirSync(path.join(root, 'deep'));
    symlinkSync(path.join(root, 'deep'), path.join(outside, 'link'));
    expect(rootAround(path.join(root, 'x', 'lspan'), [outside, root])).toBe(root);
    expect(rootAround(path.join(outside, 'link', 'state', 'lspan'), [root])).toBe(root);
    expect(rootAround(path.join(outside, 'lspan'), [root])).toBeUndefined();
    expect(rootAround(`${root}-other/lspan`, [root])).toBeUndefined();
  });
});
