import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { letClockTick, memoryFolder, openSandbox, temporaryFolder, writeFiles } from '../sandbox.ts';

describe.each(['auto', 'scan'] as const)('freshness by %s', (watch) => {
  async function open(files: Readonly<Record<string, string>>) {
    const root = temporaryFolder(files);
    letClockTick();
    const sandbox = await openSandbox([root], { watch });
    expect(await sandbox.refresh()).toEqual({ changes: {}, doubts: [] });
    return { root, ...sandbox };
  }

  test('files that exist at the start are listed, and not reported as changes', async () => {
    const { files } = await open({ 'a.ts': '', 'src/b.ts': '' });
    expect(files()).toEqual(['a.ts', 'src/b.ts']);
  });

  test('a changed file is reported, and its text is the new one', async () => {
    const { root, workspace, refresh } = await open({ 'a.ts': 'old' });
    const file = await workspace.resolve('a.ts');
    expect((await workspace.read(file)).text).toBe('old');
    writeFileSync(path.join(root, 'a.ts'), 'newer');
    expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
    expect((await workspace.read(file)).text).toBe('newer');
  });

  test('a created and a deleted file are reported in one batch', async () => {
    const { root, refresh, files, batches } = await open({ 'a.ts': '', 'src/b.ts': '' });
    writeFiles(root, { 'src/c.ts': '' });
    unlinkSync(path.join(root, 'a.ts'));
    expect((await refresh()).changes).toEqual({ 'a.ts': 'deleted', 'src/c.ts': 'created' });
    expect(files()).toEqual(['src/b.ts', 'src/c.ts']);
    expect(batches()).toBe(1);
  });

  test('a renamed file is reported as one deleted and one created', async () => {
    const { root, refresh } = await open({ 'a.ts': 'x' });
    renameSync(path.join(root, 'a.ts'), path.join(root, 'b.ts'));
    expect((await refresh()).changes).toEqual({ 'a.ts': 'deleted', 'b.ts': 'created' });
  });

  test('a renamed folder takes its contents with it', async () => {
    const { root, refresh, files } = await open({ 'old/a.ts': '', 'old/deep/b.ts': '', 'c.ts': '' });
    renameSync(path.join(root, 'old'), path.join(root, 'new'));
    expect((await refresh()).changes).toEqual({
      'old/a.ts': 'deleted',
      'old/deep/b.ts': 'deleted',
      'new/a.ts': 'created',
      'new/deep/b.ts': 'created',
    });
    writeFiles(root, { 'new/deep/d.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'new/deep/d.ts': 'created' });
    expect(files()).toEqual(['c.ts', 'new/a.ts', 'new/deep/b.ts', 'new/deep/d.ts']);
  });

  test('two folders that swap their names are reported file by file', async () => {
    const { root, refresh } = await open({
      'a/same.ts': '1',
      'a/one.ts': '',
      'b/same.ts': '2',
      'b/two.ts': '',
    });
    renameSync(path.join(root, 'a'), path.join(root, 'c'));
    renameSync(path.join(root, 'b'), path.join(root, 'a'));
    renameSync(path.join(root, 'c'), path.join(root, 'b'));
    const { changes } = await refresh();
    expect(changes).toMatchObject({
      'a/one.ts': 'deleted',
      'a/two.ts': 'created',
      'b/one.ts': 'created',
      'b/two.ts': 'deleted',
    });
    expect(changes).toMatchObject({ 'a/same.ts': 'changed', 'b/same.ts': 'changed' });
  });

  test('a folder that was deleted and made again is still watched', async () => {
    const { root, refresh } = await open({ 'a/x.ts': '1' });
    rmSync(path.join(root, 'a'), { recursive: true });
    writeFiles(root, { 'a/x.ts': '2' });
    expect((await refresh()).changes).toEqual({ 'a/x.ts': 'changed' });
    writeFiles(root, { 'a/y.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'a/y.ts': 'created' });
  });

  test('a new tree of folders is watched, including its existing contents', async () => {
    const { root, refresh } = await open({});
    writeFiles(root, { 'a/b/c/d.ts': '', 'a/e.ts': '' });
    expect((await refresh()).changes).toEqual({ 'a/b/c/d.ts': 'created', 'a/e.ts': 'created' });
    writeFiles(root, { 'a/b/c/d.ts': 'more' });
    expect((await refresh()).changes).toMatchObject({ 'a/b/c/d.ts': 'changed' });
  });

  test('a file replaced by renaming another over it is reported as changed', async () => {
    const { root, workspace, refresh } = await open({ 'a.ts': 'old' });
    const file = await workspace.resolve('a.ts');
    await workspace.read(file);
    writeFiles(root, { 'a.ts.tmp': 'new' });
    renameSync(path.join(root, 'a.ts.tmp'), path.join(root, 'a.ts'));
    expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
    expect((await workspace.read(file)).text).toBe('new');
  });

  test('a rewrite of the same size is seen even when it follows at once', async () => {
    const { root, workspace, refresh } = await open({ 'a.ts': '0000' });
    const file = await workspace.resolve('a.ts');
    for (let round = 1; round <= 50; round++) {
      const text = String(round).padStart(4, '0');
      writeFileSync(path.join(root, 'a.ts'), text);
      expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
      expect((await workspace.read(file)).text).toBe(text);
    }
  });

  test('a rewrite of the same size that restores the modification time is seen', async () => {
    const { root, refresh } = await open({ 'a.ts': 'one' });
    const file = path.join(root, 'a.ts');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'two');
    utimesSync(file, atime, mtime);
    expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
  });

  test('a replacement of the same size and modification time is seen', async () => {
    const { root, workspace, refresh } = await open({ 'a.ts': 'one' });
    const file = path.join(root, 'a.ts');
    await workspace.read(file);
    const { atime, mtime } = statSync(file);
    writeFileSync(`${file}.copy`, 'two');
    utimesSync(`${file}.copy`, atime, mtime);
    renameSync(`${file}.copy`, file);
    expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
    expect((await workspace.read(file)).text).toBe('two');
  });

  test('a file that becomes a folder, and a folder that becomes a file, are reported', async () => {
    const { root, refresh } = await open({ a: 'file' });
    unlinkSync(path.join(root, 'a'));
    writeFiles(root, { 'a/b.ts': '' });
    expect((await refresh()).changes).toEqual({ a: 'deleted', 'a/b.ts': 'created' });
    rmSync(path.join(root, 'a'), { recursive: true });
    writeFiles(root, { a: 'file' });
    expect((await refresh()).changes).toEqual({ a: 'created', 'a/b.ts': 'deleted' });
  });

  test('a link is reported but not listed, and a linked folder is not entered', async () => {
    const { root, refresh, files } = await open({ 'a/x.ts': '' });
    symlinkSync('a', path.join(root, 'loop'));
    symlinkSync('..', path.join(root, 'a', 'up'));
    expect((await refresh()).changes).toEqual({ loop: 'created', 'a/up': 'created' });
    expect(files()).toEqual(['a/x.ts']);
  });

  test('changes inside ignored folders are not reported', async () => {
    const { root, refresh, files } = await open({
      '.gitignore': 'out/\n*.log\n',
      'out/a.js': '',
      'node_modules/m/i.js': '',
    });
    writeFiles(root, {
      'out/a.js': 'x',
      'out/b.js': '',
      'node_modules/m/i.js': 'x',
      'debug.log': '',
      '.git/index': '',
    });
    expect((await refresh()).changes).toEqual({});
    expect(files()).toEqual(['.gitignore']);
  });

  test('a changed .gitignore is applied to everything below it', async () => {
    const { root, refresh, files } = await open({
      'p/.gitignore': 'gen/\n',
      'p/gen/deep/a.ts': '',
      'p/b.ts': '',
      'q/gen/c.ts': '',
    });
    expect(files()).toEqual(['p/.gitignore', 'p/b.ts', 'q/gen/c.ts']);
    writeFiles(root, { 'p/.gitignore': 'b.ts\n' });
    expect((await refresh()).changes).toEqual({ 'p/.gitignore': 'changed', 'p/gen/deep/a.ts': 'created' });
    expect(files()).toEqual(['p/.gitignore', 'p/gen/deep/a.ts', 'q/gen/c.ts']);
    writeFiles(root, { 'p/gen/deep/a.ts': 'x', 'p/b.ts': 'now ignored' });
    expect((await refresh()).changes).toMatchObject({ 'p/gen/deep/a.ts': 'changed' });
    unlinkSync(path.join(root, 'p/.gitignore'));
    expect((await refresh()).changes).toMatchObject({ 'p/.gitignore': 'deleted', 'p/b.ts': 'created' });
  });

  test('a .gitignore replaced by renaming another over it is applied to everything below it', async () => {
    const { root, refresh, files } = await open({
      '.gitignore': 'gen/\n',
      'p/q/gen/a.ts': '',
      'p/q/b.ts': '',
    });
    writeFiles(root, { '.gitignore.tmp': 'b.ts\n' });
    renameSync(path.join(root, '.gitignore.tmp'), path.join(root, '.gitignore'));
    expect((await refresh()).changes).toEqual({ '.gitignore': 'changed', 'p/q/gen/a.ts': 'created' });
    expect(files()).toEqual(['.gitignore', 'p/q/gen/a.ts']);
  });

  test('a .gitignore that ignores itself is still read again when it changes', async () => {
    const { root, refresh, files } = await open({ 'p/.gitignore': '*\n', 'p/a.ts': '' });
    expect(files()).toEqual([]);
    writeFiles(root, { 'p/.gitignore': '.gitignore\n' });
    expect((await refresh()).changes).toEqual({ 'p/a.ts': 'created' });
  });

  test("the repository's own exclusions are obeyed, also after they change", async () => {
    const { root, refresh, files } = await open({
      '.git/info/exclude': 'a.ts\n',
      '.gitignore': '*.log\n',
      'p/q/a.ts': '',
      'p/q/b.ts': '',
      'z/x/b.ts': '',
    });
    expect(files()).toEqual(['.gitignore', 'p/q/b.ts', 'z/x/b.ts']);
    writeFiles(root, { '.git/info/exclude': 'b.ts\n' });
    expect((await refresh()).changes).toEqual({ '.git/info/exclude': 'changed', 'p/q/a.ts': 'created' });
    expect(files()).toEqual(['.gitignore', 'p/q/a.ts']);
  });

  test('ignored files that `watchAlso` names are reported', async () => {
    const root = temporaryFolder({ '.gitignore': 'build/\ncompile.json\n', 'build/old.txt': '' });
    letClockTick();
    const { workspace, refresh, files } = await openSandbox([root], { watch });
    workspace.watchAlso([
      'build/compile_commands.json',
      'compile.json',
      '**/node_modules/.package-lock.json',
    ]);
    expect((await refresh()).changes).toEqual({});
    writeFiles(root, { 'build/compile_commands.json': '[]', 'build/other.o': '', 'compile.json': '' });
    writeFiles(root, { 'p/node_modules/.package-lock.json': '{}', 'p/node_modules/m/i.js': '' });
    expect((await refresh()).changes).toEqual({
      'build/compile_commands.json': 'created',
      'compile.json': 'created',
      'p/node_modules/.package-lock.json': 'created',
    });
    rmSync(path.join(root, 'p/node_modules'), { recursive: true });
    writeFiles(root, { 'build/compile_commands.json': '[1]' });
    expect((await refresh()).changes).toMatchObject({
      'build/compile_commands.json': 'changed',
      'p/node_modules/.package-lock.json': 'deleted',
    });
    expect(files()).toEqual(['.gitignore']);
  });

  test('entries created and deleted in a folder that `watchAlso` names are reported', async () => {
    const { root, workspace, refresh } = await open({ '.venv/lib/python3/site-packages/six.py': '' });
    workspace.watchAlso(['.venv/lib/*/site-packages']);
    expect((await refresh()).changes).toEqual({});
    writeFiles(root, { '.venv/lib/python3/site-packages/attrs/__init__.py': '', '.venv/bin/python': '' });
    unlinkSync(path.join(root, '.venv/lib/python3/site-packages/six.py'));
    expect((await refresh()).changes).toEqual({
      '.venv/lib/python3/site-packages/attrs': 'created',
      '.venv/lib/python3/site-packages/six.py': 'deleted',
    });
  });

  test('an ignored file that was read is reported when it changes or is deleted', async () => {
    const { root, workspace, refresh } = await open({
      'node_modules/m/a.d.ts': '1',
      'node_modules/m/b.d.ts': '1',
    });
    const file = await workspace.resolve('node_modules/m/a.d.ts');
    expect((await workspace.read(file)).text).toBe('1');
    writeFiles(root, { 'node_modules/m/a.d.ts': '2', 'node_modules/m/b.d.ts': '2' });
    expect((await refresh()).changes).toEqual({ 'node_modules/m/a.d.ts': 'changed' });
    expect((await workspace.read(file)).text).toBe('2');
    renameSync(path.join(root, 'node_modules/m'), path.join(root, 'node_modules/n'));
    expect((await refresh()).changes).toEqual({ 'node_modules/m/a.d.ts': 'deleted' });
    await expect(workspace.read(file)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a file read before the first barrier is fresh after it', async () => {
    const root = temporaryFolder({ 'a.ts': 'old' });
    const { workspace, refresh } = await openSandbox([root], { watch });
    const file = await workspace.resolve('a.ts');
    expect((await workspace.read(file)).text).toBe('old');
    writeFiles(root, { 'a.ts': 'new' });
    expect((await refresh()).changes).toEqual({ 'a.ts': 'changed' });
    expect((await workspace.read(file)).text).toBe('new');
  });

  test('a root that is moved away is told, and its files are there again when it is back', async () => {
    const { root, refresh, files } = await open({ 'a.ts': '' });
    renameSync(root, `${root}-away`);
    await expect(refresh()).rejects.toMatchObject({ code: 'workspace_gone' });
    expect(files()).toEqual([]);
    renameSync(`${root}-away`, root);
    await refresh();
    expect(files()).toEqual(['a.ts']);
    writeFiles(root, { 'b.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'b.ts': 'created' });
  });

  test('a folder without read permission counts as empty', async () => {
    const { root, refresh, files } = await open({ 'a.ts': '' });
    mkdirSync(path.join(root, 'shut'));
    chmodSync(path.join(root, 'shut'), 0);
    expect((await refresh()).doubts).toEqual([]);
    expect(files()).toEqual(['a.ts']);
    chmodSync(path.join(root, 'shut'), 0o700);
  });

  test.each(['at once', 'after the queue was read'])(
    '20,000 files written while the event loop is blocked are all seen by a barrier %s',
    async (when) => {
      const folders = Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`d${index}/first.ts`, '']),
      );
      const root = temporaryFolder(folders, memoryFolder);
      letClockTick();
      const { refresh, files, batches } = await openSandbox([root], { watch });
      await refresh();
      blockWith(
        root,
        `for (let d = 0; d < 100; d++) for (let f = 0; f < 200; f++) fs.writeFileSync('d' + d + '/f' + f, '');`,
      );
      if (when !== 'at once') await readQueue();
      const { changes, doubts } = await refresh();
      expect(Object.keys(changes)).toHaveLength(20_000);
      expect(doubts).toEqual([]);
      expect(batches()).toBe(1);
      expect(files()).toHaveLength(20_100);
      letClockTick();
      blockWith(
        root,
        `for (let d = 1; d < 100; d += 2) fs.rmSync('d' + d, { recursive: true });
      for (let d = 0; d < 100; d += 2) for (let f = 0; f < 200; f++) fs.renameSync('d' + d + '/f' + f, 'd' + d + '/g' + f);
      for (let d = 1; d < 100; d += 2) { fs.mkdirSync('d' + d); fs.writeFileSync('d' + d + '/again.ts', 'x'); }`,
      );
      if (when !== 'at once') await readQueue();
      const kinds = Object.values((await refresh()).changes);
      expect(kinds.filter((kind) => kind === 'deleted')).toHaveLength(20_050);
      expect(kinds.filter((kind) => kind === 'created')).toHaveLength(10_050);
      writeFiles(root, { 'd98/after.ts': '', 'd99/after.ts': '' });
      expect((await refresh()).changes).toMatchObject({
        'd98/after.ts': 'created',
        'd99/after.ts': 'created',
      });
    },
    120_000,
  );

  test('simultaneous barriers share a pass, and each sees what was written before it', async () => {
    const { root, workspace, refresh } = await open({});
    const written = Array.from({ length: 20 }, async (_, index) => {
      writeFiles(root, { [`f${index}.ts`]: '' });
      await refresh();
      return [...workspace.files()].includes(path.join(root, `f${index}.ts`));
    });
    expect(await Promise.all(written)).toEqual(written.map(() => true));
  });

  test('a caller that asks again at once leaves the others their turns of the event loop', async () => {
    const { refresh } = await open({ 'a.ts': '' });
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    onTestFinished(() => clearImmediate(next));
    for (let pass = 0; pass < 100; pass += 1) await refresh();
    expect(turns).toBeGreaterThanOrEqual(100);
  });
});

/** Lets the event loop read what the kernel has queued. */
async function readQueue(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

/** Lets another process work on a folder while this one stands still. */
function blockWith(folder: string, script: string): void {
  const { status } = spawnSync(process.execPath, ['-e', `const fs = require('node:fs');${script}`], {
    cwd: folder,
    stdio: 'inherit',
  });
  expect(status).toBe(0);
}
