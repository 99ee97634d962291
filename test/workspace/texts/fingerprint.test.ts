import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../../../src/workspace/texts/fingerprint.ts';
import { temporaryFolder } from '../sandbox.ts';

vi.mock('../../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../../src/core/limits.ts')>();
  const trust = { ...limits.trust, files: 3, bytes: 100 };
  return { limits: { ...limits, trust, scan: { ...limits.scan, files: 20 } } };
});

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const named = (root: string, globs: readonly string[]) => [...fingerprint(root, globs).files.keys()];

describe('a fingerprint', () => {
  it('has the SHA-256 of each file that a glob matches, in order', () => {
    const root = temporaryFolder({ 'b/x.cfg': 'two', 'a.cfg': 'one', 'c.txt': 'no', '.x.cfg': '' });
    expect(fingerprint(root, ['**/*.cfg'])).toEqual({
      files: new Map([
        ['.x.cfg', sha('')],
        ['a.cfg', sha('one')],
        ['b/x.cfg', sha('two')],
      ]),
      places: new Set(['.x.cfg', 'a.cfg', 'b/x.cfg'].map((file) => path.join(root, file))),
    });
  });

  it('SUP-03 also has files that the repository’s own rules ignore', () => {
    const root = temporaryFolder({ '.gitignore': '*\n', 'x/build.rs': '', '.cache/y/build.rs': '' });
    expect(named(root, ['**/build.rs'])).toEqual(['.cache/y/build.rs', 'x/build.rs']);
  });

  it('looks into installed packages only if a glob names them', () => {
    const root = temporaryFolder({
      'node_modules/a/build.rs': '',
      'node_modules/.lock.json': '',
      'build.rs': '',
    });
    expect(named(root, ['**/build.rs'])).toEqual(['build.rs']);
    expect(named(root, ['node_modules/.lock.json'])).toEqual(['node_modules/.lock.json']);
  });

  it('follows a link inside the folder, and reports where it leads', () => {
    const root = temporaryFolder({ 'real/a': 'text' });
    symlinkSync('real/a', path.join(root, 'link.cfg'));
    const { files, places } = fingerprint(root, ['*.cfg']);
    expect(files).toEqual(new Map([['link.cfg', sha('text')]]));
    expect(places).toEqual(new Set([path.join(root, 'real/a')]));
  });

  it('BND-03 reads nothing outside, and says so', () => {
    const outside = temporaryFolder({ secret: 'x' });
    const root = temporaryFolder();
    symlinkSync(path.join(outside, 'secret'), path.join(root, 'a.cfg'));
    expect(fingerprint(root, ['*.cfg'])).toMatchObject({
      files: new Map(),
      fault: '"a.cfg" is a link that leads out of the folder.',
    });
  });

  it('does not follow a link to a folder', () => {
    const outside = temporaryFolder({ 'a.cfg': 'x' });
    const root = temporaryFolder();
    symlinkSync(outside, path.join(root, 'linked'));
    expect(fingerprint(root, ['**/*.cfg'])).toEqual({ files: new Map(), places: new Set() });
  });

  it('has at most as many files as its limit, and says when there are more', () => {
    const root = temporaryFolder({ 'a.cfg': '', 'b.cfg': '', 'c.cfg': '' });
    expect(fingerprint(root, ['*.cfg']).fault).toBeUndefined();
    writeFileSync(path.join(root, 'd.cfg'), '');
    expect(fingerprint(root, ['*.cfg'])).toMatchObject({
      files: new Map(),
      fault: expect.stringContaining('More than 3'),
    });
  });

  it('reads at most as many bytes as its limit, and says when there are more', () => {
    const root = temporaryFolder({ 'a.cfg': 'x'.repeat(60), 'b.cfg': 'x'.repeat(40) });
    expect(fingerprint(root, ['*.cfg']).fault).toBeUndefined();
    writeFileSync(path.join(root, 'b.cfg'), 'x'.repeat(41));
    expect(fingerprint(root, ['*.cfg']).fault).toMatch(/^"b.cfg" and those before it are larger than/);
  });

  it('says when the folder has too many entries', () => {
    const root = temporaryFolder();
    for (let index = 0; index < 20; index += 1) mkdirSync(path.join(root, `d${index}`));
    expect(fingerprint(root, ['*.cfg']).fault).toBeUndefined();
    writeFileSync(path.join(root, 'one-more'), '');
    expect(fingerprint(root, ['*.cfg']).fault).toContain('more than 20 files and folders');
  });
});
