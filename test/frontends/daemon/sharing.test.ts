import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, startMcp } from './daemon-world.ts';

const renaming = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma' };
const readOnly = { overrides: { readOnly: true } };
const creating = { file_path: 'new.txt', content: 'x\n', dry_run: false };

describe('clients of one daemon', () => {
  it('DMN-10 that may only read cannot write by any tool, while others in the same workspace can', async () => {
    const world = daemonWorld();
    const [reader, writer] = [await world.open(readOnly), await world.open()];
    const writing = catalogue
      .find(({ name }) => name === 'lspan')
      ?.tools.filter(({ effects }) => effects !== 'none' && effects !== 'as_given');
    expect(writing?.length).toBeGreaterThan(5);
    for (const { name } of writing ?? []) {
      const { isError, data } = await reader.call(name, { ...renaming, ...creating });
      expect([name, isError], JSON.stringify(data)).toEqual([name, true]);
    }
    const operations = [{ tool: 'create_file', arguments: creating }];
    for (const batch of [{ operations }, { operations, dry_run: false }, { operations, atomic: true }])
      expect(JSON.stringify((await reader.call('batch_execute', batch)).data)).not.toContain('edit_id');
    expect(textOf(world, 'a.txt')).toContain('alpha');
    const { isError } = await writer.call('rename_symbol', { ...renaming, dry_run: false });
    expect(isError).toBe(false);
    expect(textOf(world, 'a.txt')).toContain('gamma');
    expect((await reader.call('undo_edit', { dry_run: false })).isError).toBe(true);
    expect(textOf(world, 'a.txt')).toContain('gamma');
    expect(world.servers()).toHaveLength(1);
    expect((await world.status())[0]?.clients).toMatchObject([{ readOnly: true }, { readOnly: false }]);
  });

  it('DMN-10 that may only read are offered no tool that writes over MCP', async () => {
    const world = daemonWorld();
    await world.warm();
    const { call } = await startMcp(world, ['--daemon', '--read-only']);
    expect((await call('create_file', creating)).isError).toBe(true);
    const { content } = await call(question.tool, question.input);
    expect(content[0]?.text).toContain('function alpha');
    expect((await world.status())[0]?.clients).toMatchObject([{ readOnly: true, command: 'mcp' }]);
  });

  it('DMN-11 do not know the plans and cursors of each other', async () => {
    const world = daemonWorld();
    writeFileSync(path.join(world.root, 'many.txt'), 'alpha is used once more\n'.repeat(2_000));
    const [one, other] = [await world.open(), await world.open()];
    const { data } = await one.call('rename_symbol', { ...renaming, dry_run: true });
    const plan = { plan_id: planOf(data) };
    expect((await other.call('apply_workspace_edit', plan)).isError).toBe(true);
    expect(textOf(world, 'a.txt')).toContain('alpha');
    const { data: page } = await one.call('find_references', symbol);
    const { next_cursor: cursor } = page;
    expect(cursor).toEqual(expect.any(String));
    expect((await other.call('find_references', { ...symbol, cursor })).isError).toBe(true);
    expect((await one.call('find_references', { ...symbol, cursor })).isError).toBe(false);
    expect((await one.call('apply_workspace_edit', plan)).isError).toBe(false);
    expect(textOf(world, 'a.txt')).toContain('gamma');
  });

  it('DMN-12 share a server if their folders, variables and configuration are equal, and else do not', async () => {
    const world = daemonWorld();
    const { environment, folder, config, root } = world;
    const venv = path.join(folder, 'venv');
    mkdirSync(venv);
    const otherConfig = path.join(folder, 'd.json');
    const { servers, ...rest } = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(otherConfig, JSON.stringify({ ...rest, servers, deadline_s: 17 }));
    const path2 = `${environment.PATH}:${folder}`;
    await expectServers(world, 1, await world.open());
    await expectServers(world, 1, await world.open());
    await expectServers(world, 1, await world.open({ roots: [`${root}/../w/`] }));
    await expectServers(world, 1, await world.open({ environment: { ...environment, TMPDIR: venv } }));
    await expectServers(world, 1, await world.open(readOnly));
    await expectServers(world, 2, await world.open({ environment: { ...environment, PATH: path2 } }));
    await expectServers(world, 3, await world.open({ environment: { ...environment, VIRTUAL_ENV: venv } }));
    await expectServers(world, 4, await world.open({ configFile: otherConfig }));
    await expectServers(world, 4, await world.open());
    const [status] = await world.status();
    expect(status?.workspaces).toHaveLength(4);
    expect(status?.clients).toHaveLength(9);
    expect(world.starts()).toBe(1);
  });

  it('DMN-12 are not kept from each other by a faulty configuration of one of them', async () => {
    const world = daemonWorld();
    const one = await world.open();
    const faulty = path.join(world.folder, 'faulty.json');
    writeFileSync(faulty, '{"servers": 7}');
    await expect(world.open({ configFile: faulty })).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await one.call(question.tool, question.input)).data).toMatchObject(question.answer);
  });

  it('DMN-13 from a shell share the history of their edits', async () => {
    const world = daemonWorld();
    await world.warm();
    const renamed = await world.call('rename_symbol', renaming, '--apply');
    expect(renamed).toMatchObject({ code: 0 });
    expect(textOf(world, 'a.txt')).toContain('gamma');
    const undone = await world.run('undo', '--daemon', ...world.flags);
    expect(undone).toMatchObject({ code: 0 });
    expect(textOf(world, 'a.txt')).toContain('alpha');
    expect(world.starts()).toBe(1);
    expect((await world.status())[0]?.lastCalls.map(({ tool }) => tool)).toEqual([
      'undo_edit',
      'apply_workspace_edit',
      'rename_symbol',
    ]);
  });
});

const symbol = { symbol_name: 'alpha', file_path: 'a.txt' };

async function expectServers(world: DaemonWorld, count: number, bridge: Bridge): Promise<void> {
  expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
  expect(world.servers()).toHaveLength(count);
}

function planOf({ plan }: Readonly<Record<string, unknown>>): unknown {
  return typeof plan === 'object' && plan !== null && 'plan_id' in plan ? plan.plan_id : undefined;
}

function textOf({ root }: DaemonWorld, file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
