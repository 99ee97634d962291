import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RootWatch } from '../../../../src/backends/lsp/process/root-watch.ts';
import { isRunning } from '../../../../src/platform/processes/process-facts.ts';
import { expectError, expectInOrder, openTestBridge, temporaryFolder } from '../../../test-bridge.ts';
import { addWorktree, initRepository } from '../../../workspace/worktrees/add-worktree.ts';

describe('PRC-25 a server whose folder is lost', () => {
  it.each(['moved', 'deleted'] as const)(
    'ends without a call if the folder is %s, with a reason',
    async (how) => {
      const bridge = await openTestBridge();
      await expectInOrder(bridge);
      const [pid = 0] = bridge.pids();
      const elsewhere = path.join(temporaryFolder('lspan-elsewhere-'), 'moved');
      if (how === 'moved') renameSync(bridge.root, elsewhere);
      else rmSync(bridge.root, { recursive: true });
      const { fields } = await bridge.logged.nth(({ event }) => event === 'server_withdrawn');
      expect(fields).toEqual({
        server: 'fake',
        root: bridge.root,
        reason: 'Its folder no longer exists: it was moved or deleted.',
      });
      await expect.poll(() => isRunning(pid)).toBe(false);
      expectError(await bridge.call('get_server_status', {}), 'workspace_gone');
      if (how === 'deleted') return;
      renameSync(elsewhere, bridge.root);
      expect((await bridge.call('get_server_status', {})).text).toContain('it was moved or deleted');
      await expectInOrder(bridge);
    },
  );

  it('is another one after the folder was replaced, even if a call comes at once', async () => {
    const bridge = await openTestBridge();
    await expectInOrder(bridge);
    renameSync(bridge.root, path.join(temporaryFolder('lspan-elsewhere-'), 'moved'));
    mkdirSync(bridge.root);
    bridge.write('a.txt', 'function alpha\nalpha beta\n');
    bridge.write('b.txt', 'alpha is used\nfunction beta\n');
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
    const [first = 0] = bridge.pids();
    await expect.poll(() => isRunning(first)).toBe(false);
  });

  it('ends with a worktree that was opened on demand, and the others stay', async () => {
    const bridge = await openTestBridge();
    const beside = path.join(temporaryFolder('lspan-beside-'), 'beside');
    const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n' };
    addWorktree(initRepository(bridge.root), beside, files);
    await expectInOrder(bridge);
    await bridge.call('find_definition', { file_path: `${beside}/b.txt`, line: 1, character: 1 });
    const [first = 0, second = 0] = bridge.pids();
    rmSync(beside, { recursive: true });
    const { fields } = await bridge.logged.nth(({ event }) => event === 'server_withdrawn');
    expect(fields.root).toBe(beside);
    await expect.poll(() => isRunning(second)).toBe(false);
    expect(isRunning(first)).toBe(true);
    await bridge.logged.nth(({ event, fields: own }) => event === 'worktree.close' && own.root === beside);
    await expectInOrder(bridge);
  });
});

describe('the watch over folders', () => {
  it('tells once of a folder that is gone or another one, and nothing of one that merely changes', () => {
    const folder = path.join(temporaryFolder('lspan-watched-'), 'root');
    mkdirSync(folder);
    const told: string[] = [];
    const watch = new RootWatch();
    watch.watch(folder, (reason) => told.push(reason));
    writeFileSync(path.join(folder, 'a'), '');
    watch.look();
    expect(told).toEqual([]);
    renameSync(folder, `${folder}-old`);
    watch.look();
    watch.look();
    expect(told).toEqual(['Its folder no longer exists: it was moved or deleted.']);
    mkdirSync(folder);
    const end = watch.watch(folder, (reason) => told.push(reason));
    renameSync(folder, `${folder}-older`);
    renameSync(`${folder}-old`, folder);
    watch.look();
    expect(told.slice(1)).toEqual(['Its folder was replaced by another.']);
    end();
  });
});
