import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, isRunning } from './daemon-world.ts';

describe('a workspace whose folder is deleted', () => {
  it('DMN-16 loses its servers, is forgotten by the daemon, and is served anew when the folder is back', async () => {
    const world = daemonWorld();
    const bridge = await world.open();
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    const [server = 0] = world.servers();
    rmSync(world.root, { recursive: true });
    const gone = await bridge.call(question.tool, question.input);
    expect(gone.data).toMatchObject({ error: { code: 'workspace_gone' } });
    await expect.poll(() => isRunning(server)).toBe(false);
    await expect.poll(async () => (await world.status())[0]?.workspaces).toEqual([]);
    make(world);
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.servers()).toHaveLength(2);
    expect(world.starts()).toBe(1);
  });

  it('DMN-16 is forgotten also if nobody asks about it any more', async () => {
    const world = daemonWorld();
    await (await world.open()).call(question.tool, question.input);
    const [server = 0] = world.servers();
    rmSync(world.root, { recursive: true });
    await expect.poll(async () => (await world.status())[0]?.workspaces).toEqual([]);
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  it('DMN-16 is reported as gone also if the daemon has closed it because of another client', async () => {
    const world = daemonWorld();
    const [bridge, other] = [await world.open(), await world.open()];
    await bridge.call(question.tool, question.input);
    rmSync(world.root, { recursive: true });
    await other.call(question.tool, question.input);
    await expect.poll(async () => (await world.status())[0]?.workspaces).toEqual([]);
    const gone = await bridge.call(question.tool, question.input);
    expect(gone.data).toMatchObject({ error: { code: 'workspace_gone' } });
  });

  it('DMN-16 is served anew if the folder is back before anybody has asked', async () => {
    const world = daemonWorld();
    const bridge = await world.open();
    await bridge.call(question.tool, question.input);
    const [server = 0] = world.servers();
    rmSync(world.root, { recursive: true });
    await expect.poll(() => isRunning(server)).toBe(false);
    make(world);
    const { data } = await bridge.call(question.tool, question.input);
    expect(data).toMatchObject(question.answer);
    expect(world.servers()).toHaveLength(2);
  });

  it('DMN-16 is served anew if another folder takes its place at once', async () => {
    const world = daemonWorld();
    const bridge = await world.open();
    await bridge.call(question.tool, question.input);
    const [server = 0] = world.servers();
    renameSync(world.root, path.join(world.folder, 'moved'));
    make(world);
    writeFileSync(path.join(world.root, 'c.txt'), 'alpha\n');
    const { data } = await bridge.call('find_references', { symbol_name: 'alpha', file_path: 'a.txt' });
    expect(JSON.stringify(data)).toContain('c.txt');
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  it('DMN-16 does not concern the clients of other workspaces', async () => {
    const world = daemonWorld();
    const second = path.join(world.folder, 'second');
    mkdirSync(second);
    make(world, second);
    const [one, other] = [await world.open(), await world.open({ roots: [second] })];
    await one.call(question.tool, question.input);
    await other.call(question.tool, question.input);
    rmSync(world.root, { recursive: true });
    expect((await one.call(question.tool, question.input)).isError).toBe(true);
    expect((await other.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.servers()).toHaveLength(2);
  });
});

function make({ root }: DaemonWorld, folder = root): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'a.txt'), 'function alpha\nalpha beta\n');
  writeFileSync(path.join(folder, 'b.txt'), 'alpha is used\nfunction beta\n');
}
