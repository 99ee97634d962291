import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CurrentTrust } from '../../../src/config/trust/current-trust.ts';
import { writeTrustOf } from '../../../src/config/trust/write-trust.ts';
import { silent } from '../../../src/core/log.ts';
import { untrusted } from '../../../src/core/trust.ts';
import type { ServerDefinition } from '../../../src/servers/definition.ts';
import { fingerprint, matching } from '../../../src/workspace/texts/fingerprint.ts';
import { isSameRepository } from '../../../src/workspace/worktrees/checkout.ts';
import { addWorktree, initRepository } from '../../workspace/worktrees/add-worktree.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const linter: ServerDefinition = {
  id: 'linter',
  extensions: {},
  program: { sources: [], args: [] },
  ready: { kind: 'immediate' },
  install: '',
  trust: { runs: 'the rules', boundTo: ['rules.cfg', '**/plugin.js'] },
};

/** A folder that was trusted for the linter, with its current trust. */
function trusted(prepare: (root: string) => void = () => {}) {
  const root = temporaryFolder({ 'rules.cfg': 'a', 'x/plugin.js': 'b' });
  prepare(root);
  const environment = { XDG_STATE_HOME: temporaryFolder() };
  let read = 0;
  const counted = (folder: string, globs: readonly string[]) => {
    read += 1;
    return fingerprint(folder, globs);
  };
  const bound = fingerprint(root, linter.trust?.boundTo ?? []);
  writeTrustOf({ root, servers: [{ id: 'linter', runs: '', bound }] }, environment);
  const trust = new CurrentTrust({
    environment,
    roots: [root],
    fingerprint: counted,
    matching,
    isSameRepository,
    log: silent,
  });
  const file = (name: string) => path.join(root, name);
  return { root, trust, file, now: () => trust.of(root, linter), reads: () => read };
}

describe('the trust in a folder', () => {
  it('holds as long as nothing has changed, and is not checked at every question', () => {
    const { now, reads, trust, file } = trusted();
    expect(now().granted).toBe(true);
    trust.note([{ path: file('other.cfg') }, { path: file('x') }, { path: '/elsewhere/rules.cfg' }]);
    expect(now().granted).toBe(true);
    expect(reads()).toBe(1);
  });

  it('is checked again when a bound file changed, and before something is run', () => {
    const { now, reads, trust, file, root } = trusted();
    now();
    trust.note([{ path: file('new/plugin.js') }]);
    expect(now().granted).toBe(true);
    expect(trust.afresh(root, linter).granted).toBe(true);
    expect(reads()).toBe(3);
  });

  it('does not affect a server that runs nothing, nor another server', () => {
    const { root, trust } = trusted();
    const { trust: own, ...harmless } = linter;
    expect(own).toBeDefined();
    expect(trust.of(root, harmless)).toEqual(untrusted);
    expect(trust.of(root, { ...linter, id: 'other' })).toMatchObject({
      granted: false,
      reason: 'The user has trusted this folder, but other was not needed in it then.',
    });
  });

  it('does not extend to a folder below or above', () => {
    const { root, trust } = trusted();
    expect(trust.of(path.join(root, 'x'), linter)).toEqual(untrusted);
    expect(trust.of(path.dirname(root), linter)).toEqual(untrusted);
  });
});

describe('SUP-03 the trust ends and says why when', () => {
  it.each<[string, (file: (name: string) => string) => void, string]>([
    ['one byte changes', (file) => writeFileSync(file('rules.cfg'), 'b'), '"rules.cfg" has changed'],
    ['a file is added', (file) => writeFileSync(file('x/Other plugin.js'), ''), ''],
    ['a bound file is added', (file) => writeFileSync(file('plugin.js'), ''), '"plugin.js" is new'],
    ['a file is removed', (file) => rmSync(file('rules.cfg')), '"rules.cfg" is gone'],
    ['a folder is removed', (file) => rmSync(file('x'), { recursive: true }), '"x/plugin.js" is gone'],
    [
      'all change',
      (file) => {
        writeFileSync(file('rules.cfg'), '');
        writeFileSync(file('x/plugin.js'), '');
      },
      '"rules.cfg" has changed (and 1 more). Review that before trusting it again.',
    ],
    [
      'a file changes and its time does not',
      (file) => {
        writeFileSync(file('rules.cfg'), 'c');
        utimesSync(file('rules.cfg'), 1, 1);
      },
      '"rules.cfg" has changed',
    ],
    [
      'a bound file becomes a link that leads out',
      (file) => {
        rmSync(file('rules.cfg'));
        symlinkSync('/etc/hostname', file('rules.cfg'));
      },
      '"rules.cfg" is a link that leads out of the folder',
    ],
    [
      'a bound file becomes a folder',
      (file) => {
        rmSync(file('rules.cfg'));
        symlinkSync('x', file('rules.cfg'));
      },
      '"rules.cfg" is a link to a folder',
    ],
  ])('%s', (_title, change, told) => {
    const { now, file } = trusted();
    change(file);
    expect(now().granted).toBe(told === '');
    expect(now().reason).toContain(told);
  });

  it('the target of a bound link changes, under another name', () => {
    const { now, trust, file } = trusted((root) => {
      writeFileSync(path.join(root, 'real'), 'a');
      symlinkSync('real', path.join(root, 'plugin.js'));
    });
    expect(now().granted).toBe(true);
    writeFileSync(file('real'), 'b');
    trust.note([{ path: file('real') }]);
    expect(now().reason).toContain('"plugin.js" has changed');
  });
});

describe('the trust in a worktree', () => {
  const files = { 'rules.cfg': 'a', 'x/plugin.js': 'b' };

  it('is that of another worktree of its repository, as long as the files are the same', () => {
    const beside = temporaryFolder();
    const { trust, root } = trusted((main) => addWorktree(initRepository(main), beside, files));
    expect(trust.of(beside, linter)).toMatchObject({ granted: true });
    writeFileSync(path.join(beside, 'rules.cfg'), 'other');
    trust.note([{ path: path.join(beside, 'rules.cfg') }]);
    expect(trust.of(beside, linter)).toEqual({
      granted: false,
      reason:
        'Another worktree of this repository is trusted, but this one differs: "rules.cfg" has changed since it was trusted.',
      brief: '"rules.cfg" has changed since it was trusted',
    });
    expect(trust.of(root, linter).granted).toBe(true);
  });

  it('is not given to a copy, or to a folder that merely claims to be a worktree', () => {
    const { trust, root } = trusted((main) => initRepository(main));
    const copy = temporaryFolder(files);
    expect(trust.of(copy, linter)).toBe(untrusted);
    writeFileSync(path.join(copy, '.git'), `gitdir: ${root}/.git/worktrees/copy\n`);
    expect(trust.afresh(copy, linter)).toBe(untrusted);
  });
});
