import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { beginCall } from '../../src/core/call.ts';
import { silent } from '../../src/core/log.ts';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import { openSandbox, temporaryFolder, writeFiles } from './sandbox.ts';

/** How many watches the kernel holds for this process. */
function watches(): number {
  const descriptors = readdirSync('/proc/self/fd').map((each) => `/proc/self/fdinfo/${each}`);
  const infos = descriptors.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  return infos.join('').split(/^inotify wd:/m).length - 1;
}

describe('the life of a workspace', () => {
  test.runIf(process.platform === 'linux').each(['after a barrier', 'at once'])(
    'closing %s leaves no watch and no cookie folder',
    async (when) => {
      const before = watches();
      const root = temporaryFolder({ 'a/b/c.ts': '' });
      const cookieFolder = path.join(temporaryFolder(), 'cookies');
      const workspace = await openWorkspace({ roots: [root], log: silent, cookieFolder });
      using call = beginCall({ time: 60_000 });
      if (when !== 'at once') {
        await workspace.refresh(call);
        expect(statSync(cookieFolder).mode & 0o777).toBe(0o700);
        expect(readdirSync(cookieFolder)).toHaveLength(1);
        expect(watches()).toBe(before + 4);
      }
      await workspace.close();
      await workspace.close();
      expect(existsSync(cookieFolder)).toBe(false);
      expect(watches()).toBe(before);
      await expect(workspace.refresh(call)).rejects.toMatchObject({ code: 'cancelled' });
    },
  );

  test('watches do not keep the process alive', async () => {
    const { refresh } = await openSandbox([temporaryFolder({ 'a/b.ts': '' })]);
    await refresh();
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap');
  });

  test('a workspace can be closed during its first scan', async () => {
    const root = temporaryFolder(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`d${index}/a.ts`, ''])),
    );
    const workspace = await openWorkspace({ roots: [root], log: silent });
    using call = beginCall({ time: 60_000 });
    const waiting = workspace.refresh(call).catch(() => []);
    await workspace.close();
    expect(await waiting).toEqual([]);
  });

  test('a caller that gives up does not end the barrier for others', async () => {
    const root = temporaryFolder({ 'a.ts': '' });
    const { workspace, refresh } = await openSandbox([root]);
    const leaving = new AbortController();
    using call = beginCall({ time: 60_000 }, leaving.signal);
    const left = workspace.refresh(call);
    const stayed = refresh();
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    expect((await stayed).doubts).toEqual([]);
  });

  test('a listener that unsubscribed is not called', async () => {
    const root = temporaryFolder({ 'a.ts': '' });
    const { workspace, refresh } = await openSandbox([root]);
    await refresh();
    let heard = 0;
    const stop = workspace.onChanges(() => heard++);
    stop();
    writeFiles(root, { 'b.ts': '' });
    await refresh();
    expect(heard).toBe(0);
  });

  test('a cleaner of temporary folders that removes ours only costs time', async () => {
    const root = temporaryFolder({ 'a.ts': '' });
    const cookieFolder = path.join(temporaryFolder(), 'cookies');
    const { refresh } = await openSandbox([root], { cookieFolder });
    await refresh();
    rmSync(cookieFolder, { recursive: true });
    writeFiles(root, { 'b.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'b.ts': 'created' });
    writeFiles(root, { 'c.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'c.ts': 'created' });
    rmSync(path.join(cookieFolder, String(readdirSync(cookieFolder)[0])));
    writeFiles(root, { 'd.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'd.ts': 'created' });
  });

  test('if the cookie folder cannot be made, the disk is compared instead', async () => {
    const root = temporaryFolder({ 'a.ts': '' });
    const { refresh } = await openSandbox([root], { cookieFolder: path.join(root, 'a.ts/cookies') });
    await refresh();
    writeFiles(root, { 'b.ts': '' });
    expect((await refresh()).changes).toMatchObject({ 'b.ts': 'created' });
  });

  test('the cookie folder inside a root is not part of it', async () => {
    const root = temporaryFolder({ 'a.ts': '' });
    const cookieFolder = path.join(root, 'ours');
    mkdirSync(cookieFolder);
    const { refresh, files } = await openSandbox([root], { cookieFolder });
    expect((await refresh()).changes).toEqual({});
    expect((await refresh()).changes).toEqual({});
    expect(files()).toEqual(['a.ts']);
  });
});
