import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addIndex, buildIndex, verifyIndexes } from '../src/manage-indexes.ts';
import { indexWords } from './backends/index/write-scip.ts';
import { lackedPrograms, unlessSkipped } from './missing-programs.ts';
import { temporaryFolder } from './workspace/sandbox.ts';

const lacked = lackedPrograms('git');

describe.skipIf(lacked !== '')(unlessSkipped(lacked, 'the texts of an index'), () => {
  it('IDX-06 are those of the commit that is named, not those of the working tree', async () => {
    const { settings, write, commit, add } = repository();
    write({ 'a.txt': 'function alpha\nfunction beta\nalpha', 'b.txt': 'function gamma' });
    const old = commit();
    const index = indexWords({ 'a.txt': 'function alpha\nfunction beta\nalpha', 'b.txt': 'function gamma' });
    write({ 'a.txt': '\nfunction alpha\nfunction beta\nalpha' });
    commit();
    expect(await add(index, old)).toMatchObject({ documents: 2, unverified: 0 });
    expect(await verifyIndexes(settings)).toMatchObject({ faults: [], changed: ['a.txt'], missing: [] });
  });

  it('IDX-06 are a reason to refuse an index that was made of another commit', async () => {
    const { write, commit, add } = repository();
    write({ 'a.txt': 'function alpha\nfunction beta\nalpha' });
    const old = commit();
    await expect(add(indexWords({ 'a.txt': '\n\n\n\n\nfunction alpha' }), old)).rejects.toMatchObject({
      code: 'stale',
    });
  });

  it('are those of the working tree if the commit is not here, as far as they fit', async () => {
    const { write, commit, add } = repository();
    write({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    commit();
    const index = indexWords({ 'a.txt': 'function alpha', 'b.txt': '\n\nfunction beta' });
    expect(await add(index, 'f00dfeed')).toMatchObject({ documents: 2, unverified: 1 });
  });

  it('IDX-06 are not those of a tag that is named like the commit, and files with other line ends are the same', async () => {
    const { settings, write, commit, add, git } = repository();
    write({ 'a.txt': 'function alpha\nfunction beta\nalpha', '.gitattributes': '*.txt text eol=crlf\n' });
    const old = commit();
    const index = indexWords({ 'a.txt': 'function alpha\nfunction beta\nalpha' });
    git('rm', '--quiet', '--cached', 'a.txt');
    git('reset', '--quiet', '--hard');
    expect(await add(index, old)).toMatchObject({ unverified: 0 });
    expect(await verifyIndexes(settings)).toMatchObject({ changed: [], missing: [] });
    write({ 'a.txt': '\nfunction alpha\nfunction beta\nalpha' });
    commit();
    git('tag', old.slice(0, 8));
    expect(await add(index, old.slice(0, 8)).catch(({ code }) => code)).not.toMatchObject({ unverified: 0 });
  });

  it('IDX-06 are those of the working tree where git knows nothing, or of another repository only', async () => {
    const { folder, write, commit, add, git } = repository();
    write({ 'a.txt': 'function alpha' });
    const old = commit();
    mkdirSync(path.join(folder, 'inner/.git'), { recursive: true });
    writeFileSync(path.join(folder, 'inner/a.txt'), 'function other');
    git('update-ref', '-d', 'HEAD');
    const inner = { in: path.join(folder, 'inner') };
    const added = await add(indexWords({ 'a.txt': 'function other' }), old, inner);
    expect(added).toMatchObject({ documents: 1, unverified: 0 });
  });

  it('SUP-01 IDX-08 are not read by a git of the repository, even where only a part of that is the workspace', async () => {
    const { folder, write, commit, add, git } = repository();
    write({ 'a.txt': 'function alpha' });
    const old = commit();
    const trace = path.join(folder, 'ran');
    for (const name of ['bin', 'part']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'bin/git'), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    const PATH = `${path.join(folder, 'bin')}:${process.env.PATH}`;
    await add(indexWords({ 'a.txt': 'function alpha' }), old, { in: path.join(folder, 'part'), PATH });
    expect(existsSync(trace)).toBe(false);
    expect(git('rev-parse', 'HEAD')).toBe(old);
  });

  it('SUP-01 IDX-08 that are missing in a repository are not fetched, whatever it says of that', async () => {
    const { folder, write, commit, add, git } = repository();
    write({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    const old = commit();
    const trace = path.join(folder, 'ran');
    git('config', 'extensions.partialClone', 'origin');
    git('config', 'remote.origin.promisor', 'true');
    git('config', 'remote.origin.url', `ext::touch ${trace}`);
    git('config', 'protocol.ext.allow', 'always');
    git('config', 'core.repositoryFormatVersion', '1');
    const blob = git('rev-parse', `${old}:a.txt`);
    rmSync(path.join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    const index = indexWords({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    expect(await add(index, old)).toMatchObject({ documents: 2, unverified: 1 });
    expect(existsSync(trace)).toBe(false);
    // Without what keeps it from that, git does run it.
    expect(() => git('cat-file', '-p', blob)).toThrow();
    expect(existsSync(trace)).toBe(true);
  });

  it('IDX-08 in a repository whose objects are pipes are not waited for without end', async () => {
    const { folder, write, commit, add, git } = repository();
    write({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    const old = commit();
    const blob = git('rev-parse', `${old}:a.txt`);
    const file = path.join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    execFileSync('mkfifo', [file]);
    const index = indexWords({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    expect(await add(index, old)).toMatchObject({ documents: 2, unverified: 1 });
  });

  it('IDX-06 that were changed while the indexer ran have no hash', async () => {
    const { settings, folder, write } = repository();
    write({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    const index = indexWords({ 'a.txt': 'function alpha', 'b.txt': 'function beta' });
    writeFileSync(path.join(folder, '../made.scip'), index);
    // The time of the file must lie before that of the indexer, as the file system counts.
    const { ctimeMs } = statSync(path.join(folder, 'a.txt'));
    await expect.poll(() => Date.now()).toBeGreaterThan(ctimeMs + 50);
    const program = path.join(folder, '../indexer');
    writeFileSync(program, '#!/bin/sh\ntouch b.txt; cp ../made.scip "$1"\n', { mode: 0o755 });
    const indexer = { name: 'indexer', markers: [], args: (output: string) => [output], install: '' };
    const options = { onLine: () => {}, keepsTexts: true, report: () => {} };
    const added = await buildIndex(settings, { indexer, program }, options);
    expect(added).toMatchObject({ documents: 2, unverified: 1 });
  });
});

/** A repository of git, its own store of indexes, and ways to change both. */
function repository() {
  const around = temporaryFolder();
  const folder = path.join(around, 'shop');
  mkdirSync(folder);
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  git('init', '--quiet');
  const environment = { ...process.env, XDG_STATE_HOME: path.join(around, 'state') };
  const settings = { roots: [folder], log: () => {}, environment };
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  };
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
    return git('rev-parse', 'HEAD');
  };
  const add = (index: Buffer, of: string, { in: root = folder, PATH = process.env.PATH } = {}) => {
    const file = path.join(around, 'index.scip');
    writeFileSync(file, index);
    const own = { ...settings, roots: [root], environment: { ...environment, PATH } };
    return addIndex(own, { file, commit: of, keepsTexts: true, report: () => {} });
  };
  return { folder, settings, write, commit, add, git };
}
