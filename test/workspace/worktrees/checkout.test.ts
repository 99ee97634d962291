import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { checkoutAround, checkoutAt, worktreeAround } from '../../../src/workspace/worktrees/checkout.ts';
import { lackedPrograms, unlessSkipped } from '../../missing-programs.ts';
import { withSeed } from '../../with-seed.ts';
import { temporaryFolder, writeFiles } from '../sandbox.ts';
import { addWorktree, initRepository } from './add-worktree.ts';

/** A repository with a worktree in it and one beside it. */
function makeFamily(options: { readonly relative?: boolean } = {}) {
  const folder = temporaryFolder();
  const main = path.join(folder, 'main');
  const nested = path.join(main, '.claude/worktrees/agent-1');
  const beside = path.join(folder, 'beside');
  const repository = initRepository(main);
  addWorktree(repository, nested, {}, options);
  addWorktree(repository, beside, {}, options);
  return { folder, main, nested, beside, repository };
}

describe('a checkout', () => {
  it('is the folder around `.git`, or one whose `.git` file and whose entry in the repository name each other', () => {
    for (const relative of [false, true]) {
      const { main, nested, beside, repository } = makeFamily({ relative });
      for (const root of [main, nested, beside]) expect(checkoutAt(root)).toEqual({ root, repository });
      expect(checkoutAround(path.join(nested, 'src'))).toEqual({ root: nested, repository });
      expect(checkoutAround(path.join(main, 'src'))).toEqual({ root: main, repository });
      for (const root of [main, nested, beside])
        expect(worktreeAround(repository, path.join(root, 'src/a.ts'))).toBe(root);
    }
  });

  const lacked = lackedPrograms('git');
  it.skipIf(lacked !== '')(unlessSkipped(lacked, 'is what git itself makes'), () => {
    const folder = temporaryFolder({ 'main/a.txt': 'a\n' });
    const git = (...args: string[]) => {
      const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
      const run = spawnSync('git', [...own, '-C', path.join(folder, 'main'), ...args], { encoding: 'utf8' });
      if (run.status !== 0) throw new Error(run.stderr);
    };
    git('init');
    git('add', '.');
    git('commit', '-m', 'a');
    git('worktree', 'add', '../beside');
    git('worktree', 'add', 'in/nested');
    const repository = path.join(folder, 'main/.git');
    for (const root of ['main', 'beside', 'main/in/nested'].map((name) => path.join(folder, name)))
      expect(checkoutAt(root)).toEqual({ root, repository });
    git('worktree', 'remove', '../beside');
    expect(worktreeAround(repository, path.join(folder, 'beside/a.txt'))).toBe(undefined);
  });

  it('may be written with the line ends of Windows', () => {
    const { beside, repository } = makeFamily();
    writeFiles(beside, { '.git': `gitdir: ${repository}/worktrees/beside\r\n` });
    writeFiles(repository, { 'worktrees/beside/gitdir': `${beside}/.git\r\n` });
    expect(checkoutAt(beside)).toEqual({ root: beside, repository });
  });

  it('is not a submodule, a folder without `.git`, or a bare repository with worktrees in it', () => {
    const { main } = makeFamily();
    writeFiles(main, { '.git/modules/sub/HEAD': '', 'sub/.git': 'gitdir: ../.git/modules/sub\n' });
    expect(checkoutAt(path.join(main, 'sub'))).toBe(undefined);
    expect(checkoutAt(path.join(main, '.claude'))).toBe(undefined);
    for (const config of ['[core]\n\tbare = true\n', '[a]\nb=c\n [Core] bare\n']) {
      writeFiles(main, { '.git/config': config });
      expect(checkoutAt(main)).toBe(undefined);
    }
  });
});

describe('BND-24 a forged link', () => {
  it('widens nothing: a repository that names a folder which does not name it', () => {
    const { folder, repository } = makeFamily();
    const home = path.join(folder, 'home');
    writeFiles(home, { 'secret.txt': 'x' });
    writeFiles(repository, { 'worktrees/evil/gitdir': `${home}/.git\n` });
    expect(worktreeAround(repository, path.join(home, 'secret.txt'))).toBe(undefined);
    initRepository(home);
    expect(worktreeAround(repository, path.join(home, 'secret.txt'))).toBe(undefined);
    writeFiles(repository, { 'worktrees/evil/gitdir': '/.git\n', 'worktrees/evil2/gitdir': '\n' });
    expect(worktreeAround(repository, '/etc/passwd')).toBe(undefined);
  });

  it('widens nothing: a folder that claims to be the worktree of a repository which names another', () => {
    const { folder, main, beside, repository } = makeFamily();
    const evil = path.join(folder, 'evil');
    writeFiles(evil, { '.git': `gitdir: ${repository}/worktrees/beside\n` });
    expect(checkoutAt(evil)).toBe(undefined);
    expect(checkoutAt(beside)).toEqual({ root: beside, repository });
    unlinkSync(path.join(evil, '.git'));
    symlinkSync(path.join(beside, '.git'), path.join(evil, '.git'));
    expect(checkoutAt(evil)).toBe(undefined);
    unlinkSync(path.join(evil, '.git'));
    symlinkSync(path.join(main, '.git'), path.join(evil, '.git'));
    expect(checkoutAt(evil)).toBe(undefined);
  });

  it('leads nowhere through links of folders: a worktree is where it really is', () => {
    const { folder, beside, repository } = makeFamily();
    const link = path.join(folder, 'link');
    symlinkSync(beside, link);
    expect(checkoutAt(link)).toEqual({ root: beside, repository });
    writeFiles(repository, { 'worktrees/link/gitdir': `${link}/.git\n` });
    expect(worktreeAround(repository, path.join(link, 'a.ts'))).toBe(undefined);
    const moved = path.join(folder, 'moved');
    renameSync(beside, moved);
    expect(checkoutAt(moved)).toBe(undefined);
    expect(worktreeAround(repository, path.join(beside, 'a.ts'))).toBe(undefined);
  });

  it('may be circular, huge, a folder, a pipe or missing', () => {
    const { main, nested, beside, repository } = makeFamily();
    const pointers = [
      'gitdir: .git\n',
      'gitdir: .\n',
      `gitdir: ${beside}/.git/worktrees/x\n`,
      `gitdir: ${'x/'.repeat(limits.worktrees.file)}\n`,
      `gitdir: ${repository}/worktrees/agent-1\0\n`,
      `gitdir: ${repository}/worktrees/agent-1\nmore\n`,
      'gitdir: \\\\host\\share\\worktrees\\x\n',
      'gitdir:\n',
      '',
    ];
    for (const text of pointers) {
      writeFiles(nested, { '.git': text });
      expect(checkoutAt(nested), text.slice(0, 80)).toBe(undefined);
    }
    rmSync(path.join(nested, '.git'));
    spawnSync('mkfifo', [path.join(nested, '.git')]);
    expect(checkoutAt(nested)).toBe(undefined);
    rmSync(path.join(repository, 'worktrees'), { recursive: true });
    symlinkSync('worktrees', path.join(repository, 'worktrees'));
    expect(checkoutAt(beside)).toBe(undefined);
    expect(worktreeAround(repository, path.join(beside, 'a'))).toBe(undefined);
    expect(worktreeAround(repository, path.join(main, 'a'))).toBe(main);
  });

  it('never makes a checkout of a folder, whatever the two files say', () => {
    const folder = temporaryFolder();
    const [main, other] = ['main', 'other'].map((name) => path.join(folder, name));
    if (main === undefined || other === undefined) throw new Error('two folders were named');
    const repository = initRepository(main);
    mkdirSync(other);
    const part = fc.constantFrom(
      '..',
      '.',
      'main',
      'other',
      '.git',
      'worktrees',
      'x',
      '',
      '/',
      folder,
      '~',
      'é',
    );
    const spelled = fc.array(part, { maxLength: 8 }).map((parts) => parts.join('/'));
    const end = fc.constantFrom('', '\n', '\r\n', '\n\n', ' ', '\0');
    fc.assert(
      fc.property(spelled, end, spelled, end, (there, endOfThere, back, endOfBack) => {
        writeFiles(other, { '.git': `gitdir: ${there}${endOfThere}` });
        writeFiles(repository, { 'worktrees/x/gitdir': `${back}${endOfBack}` });
        const found = checkoutAt(other);
        const isTrue =
          path.resolve(other, there) === path.join(repository, 'worktrees/x') &&
          path.resolve(repository, 'worktrees/x', back) === path.join(other, '.git');
        if (found !== undefined)
          expect({ isTrue, found }).toEqual({ isTrue: true, found: { root: other, repository } });
      }),
      withSeed({ numRuns: 200 }),
    );
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)('of another user is refused', () => {
    const { beside, repository } = makeFamily();
    expect(checkoutAt(beside)).toEqual({ root: beside, repository });
    spawnSync('chown', ['65534', beside]);
    expect(checkoutAt(beside)).toBe(undefined);
    expect(worktreeAround(repository, path.join(beside, 'a'))).toBe(undefined);
  });
});

it('the temporary folder of the tests is in no repository', () => {
  expect(checkoutAround(realpathSync(os.tmpdir()))).toBe(undefined);
});
