import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { letClockTick, openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';
import { addWorktree, initRepository } from './add-worktree.ts';

const nested = '.claude/worktrees/agent-1';

/** A repository with one file. */
function makeRepository() {
  const root = temporaryFolder({ 'a.ts': 'export const total = 1;\n' });
  letClockTick();
  return { root, repository: initRepository(root), inside: path.join(root, nested) };
}

describe.each(['auto', 'scan'] as const)('BND-25 a worktree in the workspace (%s)', (watch) => {
  it('is not listed, read, searched or part of the root', async () => {
    const { root, repository, inside } = makeRepository();
    addWorktree(repository, inside, { 'a.ts': 'export const total = 2;\n' });
    const { workspace, refresh, files } = await openSandbox([root], { watch });
    await refresh();
    expect(files()).toEqual(['a.ts']);
    using call = beginCall({ time: 60_000 });
    expect(await workspace.mentioning('total', call)).toEqual([path.join(root, 'a.ts')]);
    const file = path.join(inside, 'a.ts');
    for (const given of [`${nested}/a.ts`, file, workspace.uri(file), `./${nested}/../agent-1/a.ts`])
      await expect(workspace.resolve(given)).rejects.toMatchObject({ code: 'outside_workspace' });
    expect(() => workspace.entry(nested)).toThrow(expect.objectContaining({ code: 'outside_workspace' }));
    expect(workspace.fromUri(workspace.uri(file))).toEqual({ path: file, standing: 'outside' });
    expect(workspace.entryFromUri(workspace.uri(file)).standing).toBe('outside');
    expect(workspace.rootOf(file)).toBe(undefined);
    expect(workspace.isNamedByUser(file)).toBe(false);
    expect(workspace.worktreeIn(file)).toBe(inside);
    expect(workspace.worktreeIn(path.join(root, 'a.ts'))).toBe(undefined);
    expect(workspace.readNow(file)).toBe(undefined);
    await expect(workspace.read(file)).rejects.toMatchObject({ code: 'outside_workspace' });
  });

  it('is left out from the moment it appears, and nothing in it is reported', async () => {
    const { root, repository, inside } = makeRepository();
    const { workspace, refresh, files } = await openSandbox([root], { watch });
    await refresh();
    addWorktree(repository, inside, { 'a.ts': '', 'deep/er/b.ts': '' });
    expect((await refresh()).changes).toEqual({});
    writeFiles(inside, { 'deep/er/c.ts': '' });
    expect((await refresh()).changes).toEqual({});
    expect(files()).toEqual(['a.ts']);
    rmSync(inside, { recursive: true });
    expect((await refresh()).changes).toEqual({});
    expect(workspace.worktreeIn(path.join(inside, 'a.ts'))).toBe(undefined);
  });

  it('is cut out of files that were known before it became one, and is part again when it is none', async () => {
    const { root, repository, inside } = makeRepository();
    writeFiles(inside, { 'b.ts': '', 'deep/c.ts': '' });
    letClockTick();
    const { refresh, files } = await openSandbox([root], { watch });
    await refresh();
    const known = ['b.ts', 'deep/c.ts'].map((file) => `${nested}/${file}`);
    expect(files()).toEqual([...known, 'a.ts']);
    addWorktree(repository, inside);
    expect((await refresh()).changes).toEqual(Object.fromEntries(known.map((file) => [file, 'deleted'])));
    expect(files()).toEqual(['a.ts']);
    rmSync(path.join(inside, '.git'));
    expect((await refresh()).changes).toEqual(Object.fromEntries(known.map((file) => [file, 'created'])));
    expect(files()).toEqual([...known, 'a.ts']);
  });

  it('is one only as long as the repository agrees, though nothing happens in the folder', async () => {
    const { root, repository, inside } = makeRepository();
    addWorktree(repository, inside, { 'b.ts': '' });
    const { refresh, files } = await openSandbox([root], { watch });
    await refresh();
    rmSync(path.join(repository, 'worktrees'), { recursive: true });
    await refresh();
    expect(files()).toEqual([`${nested}/b.ts`, 'a.ts']);
    writeFiles(repository, { 'worktrees/agent-1/gitdir': `${inside}/.git\n` });
    await refresh();
    expect(files()).toEqual(['a.ts']);
  });
});

describe('what is part of the workspace as before', () => {
  const known = async (root: string) => {
    const { refresh, files } = await openSandbox([root]);
    await refresh();
    return files();
  };

  it('a submodule and another clone', async () => {
    const { root } = makeRepository();
    writeFiles(root, {
      '.git/modules/sub/HEAD': '',
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/s.ts': '',
    });
    initRepository(path.join(root, 'vendor/clone'));
    writeFiles(root, { 'vendor/clone/v.ts': '' });
    expect(await known(root)).toEqual(['a.ts', 'sub/s.ts', 'vendor/clone/v.ts']);
  });

  it('a worktree of another repository, also one that claims more than its repository confirms', async () => {
    const { root, repository, inside } = makeRepository();
    const other = temporaryFolder();
    addWorktree(initRepository(other), path.join(root, 'theirs'), { 't.ts': '' });
    writeFiles(inside, { '.git': `gitdir: ${repository}/worktrees/agent-1\n`, 'b.ts': '' });
    expect(await known(root)).toEqual([`${nested}/b.ts`, 'a.ts', 'theirs/t.ts']);
  });

  it('worktrees in a folder that is no checkout: beside a bare repository, they may be all there is', async () => {
    const root = temporaryFolder();
    const repository = initRepository(root, '[core]\n\tbare = true\n');
    for (const name of ['one', 'two']) addWorktree(repository, path.join(root, name), { 'a.ts': '' });
    expect(await known(root)).toEqual(['one/a.ts', 'two/a.ts']);
    expect(await known(temporaryFolder({ 'x/a.ts': '' }))).toEqual(['x/a.ts']);
  });

  it('a worktree that is a root itself, also inside another that is cut out', async () => {
    const { root, repository, inside } = makeRepository();
    addWorktree(repository, inside, { 'b.ts': '', 'p/c.ts': '' });
    const both = await openSandbox([root, inside]);
    await both.refresh();
    expect(both.files()).toEqual([`${nested}/b.ts`, `${nested}/p/c.ts`, 'a.ts']);
    const part = await openSandbox([root, path.join(inside, 'p')]);
    await part.refresh();
    expect(part.files()).toEqual([`${nested}/p/c.ts`, 'a.ts']);
    expect(await part.workspace.resolve(`${nested}/p/c.ts`)).toBe(path.join(inside, 'p/c.ts'));
    expect(part.workspace.rootOf(path.join(inside, 'b.ts'))).toBe(undefined);
  });
});

describe('other places of worktrees', () => {
  it('a worktree in a worktree, in a part of a checkout, and of a submodule is cut out too', async () => {
    const { root, repository } = makeRepository();
    const beside = temporaryFolder();
    addWorktree(repository, beside, { 'a.ts': '', 'pack/p.ts': '' });
    addWorktree(repository, path.join(beside, 'pack/in'), { 'b.ts': '' });
    writeFiles(root, {
      '.git/modules/sub/HEAD': '',
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/s.ts': '',
    });
    addWorktree(path.join(root, '.git/modules/sub'), path.join(root, 'sub-2'), { 's.ts': '' });
    const lists = [beside, path.join(beside, 'pack'), root].map(async (folder) => {
      const { refresh, files } = await openSandbox([folder]);
      await refresh();
      return files();
    });
    expect(await Promise.all(lists)).toEqual([['a.ts', 'pack/p.ts'], ['p.ts'], ['a.ts', 'sub/s.ts']]);
  });

  it('one that is ignored is no part of the workspace either', async () => {
    const { root, repository, inside } = makeRepository();
    writeFiles(root, { '.gitignore': '.claude\n', '.claude/own.md': '' });
    const { refresh, files, workspace } = await openSandbox([root]);
    await refresh();
    addWorktree(repository, inside, { 'b.ts': '' });
    await refresh();
    expect(files()).toEqual(['.gitignore', 'a.ts']);
    expect(workspace.worktreeIn(path.join(inside, 'b.ts'))).toBe(inside);
    await expect(workspace.resolve(`${nested}/b.ts`)).rejects.toMatchObject({ code: 'outside_workspace' });
    expect(await workspace.resolve('.claude/own.md')).toBe(path.join(root, '.claude/own.md'));
    rmSync(path.join(repository, 'worktrees'), { recursive: true });
    await refresh();
    expect(await workspace.resolve(`${nested}/b.ts`)).toBe(path.join(inside, 'b.ts'));
  });
});
