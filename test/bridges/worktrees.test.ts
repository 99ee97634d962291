import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { defaultConfig } from '../../src/config/default-config.ts';
import { limits } from '../../src/core/limits.ts';
import { listEdits } from '../../src/offline.ts';
import { isRunning } from '../../src/platform/processes/process-facts.ts';
import { expectError, expectInOrder, openTestBridge, question, temporaryFolder } from '../test-bridge.ts';
import { addWorktree, initRepository } from '../workspace/worktrees/add-worktree.ts';

/** The project of a test bridge, moved by one line, so that answers tell which of the two they are about. */
const copy = { 'a.txt': '\nfunction alpha\nalpha beta\n', 'b.txt': '\nalpha is used\nfunction beta\n' };
const nested = '.claude/worktrees/agent-1';
const at = { line: 2, character: 1 };

/** A bridge over a repository with a worktree in it and one beside it. */
async function openFamily(setting: Parameters<typeof openTestBridge>[0] = {}) {
  const bridge = await openTestBridge(setting);
  const repository = initRepository(bridge.root);
  const beside = path.join(temporaryFolder('lspan-beside-'), 'beside');
  addWorktree(repository, path.join(bridge.root, nested), copy);
  addWorktree(repository, beside, copy);
  const define = (file_path: string) => bridge.call(question.tool, { file_path, ...at });
  return { ...bridge, bridge, repository, beside, define };
}

describe('a path in another worktree of the repository', () => {
  it('is answered by a root of its own, whose paths can be passed to the next call', async () => {
    const { bridge, beside, define, pids } = await openFamily();
    await expectInOrder(bridge);
    for (const folder of [nested, beside]) {
      const { data } = await define(`${folder}/b.txt`);
      const found = { file_path: `${folder}/a.txt`, line: 2, text: 'function alpha' };
      expect(data).toMatchObject({ complete: true, definitions: [found] });
    }
    expect(pids()).toHaveLength(3);
    // A name without a path is meant in the workspace.
    const byName = await bridge.call('find_definition', { symbol_name: 'alpha' });
    expect(byName.data).toMatchObject({ definitions: [{ file_path: 'a.txt', line: 1 }] });
    await expectInOrder(bridge);
  });

  it('is answered on every surface', async () => {
    const { bridge, beside } = await openFamily();
    const file = `${beside}/b.txt`;
    const uri = pathToFileURL(file).href;
    const asked = [
      ['gateway', 'vscode.lsp.documentSymbols', { uri }],
      ['llxprt', 'lsp_document_symbols', { file }],
      ['codeflow', 'get_document_symbols', { file_path: file }],
    ] as const;
    for (const [surface, tool, args] of asked) {
      const outcome = await bridge.call(tool, args, { surface });
      expect(outcome, `${surface}: ${outcome.text}`).toMatchObject({ isError: false });
      expect(JSON.stringify(outcome)).toContain('beta');
    }
  });

  it('has problems of its own, also since an earlier answer', async () => {
    const { bridge, beside } = await openFamily();
    const ask = async (input: object) => (await bridge.call('get_diagnostics', input)).data;
    const { since } = await ask({ file_path: `${beside}/b.txt` });
    const { since: own } = await ask({ file_path: 'b.txt' });
    const compared = [
      await ask({ file_path: `${beside}/b.txt`, since }),
      await ask({ file_path: 'b.txt', since: own }),
    ];
    for (const data of compared) expect(data).not.toHaveProperty('error');
    expect(JSON.stringify(compared[1])).not.toContain(beside);
    const mixed = await bridge.call('get_diagnostics', { file_path: 'b.txt', since });
    expectError(mixed, 'outside_workspace', 'is not in the worktree');
  });

  it('has its problems as a resource, whose changes are told', async () => {
    const { bridge, beside } = await openFamily();
    const file = `${beside}/b.txt`;
    expect((await bridge.resources?.problemsOf(file))?.text).toContain(`No problems in ${file}.`);
    const told: (string | undefined)[] = [];
    const unfollow = bridge.resources?.onProblems((path) => told.push(path));
    expect(await bridge.resources?.locate(file)).toBe(file);
    told.length = 0;
    writeFileSync(file, 'alpha is used\nfunction beta ERROR_1\n');
    await expect.poll(() => told).not.toEqual([]);
    expect((await bridge.resources?.problemsOf(file))?.text).toContain('ERROR_1');
    unfollow?.();
    await expect(bridge.resources?.locate('/etc/passwd')).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });

  it('is checked for a program around lspan, with its text or a given one; no other text is held there', async () => {
    const { bridge, beside } = await openFamily();
    const file = `${beside}/b.txt`;
    expect(await bridge.hostApi?.check(file, undefined)).toMatchObject({ file, problems: [], doubts: [] });
    const given = await bridge.hostApi?.check(file, 'function beta ERROR_1\n');
    expect(given).toMatchObject({ file, problems: [{ message: expect.stringContaining('ERROR_1') }] });
    expect(() => bridge.hostApi?.hold(file, 'text')).toThrow('is not inside the workspace');
    await expect(bridge.hostApi?.check('/etc/passwd', undefined)).rejects.toMatchObject({
      code: 'outside_workspace',
    });
  });

  it('is not followed if files of as many other worktrees are as can be open, but is read', async () => {
    const { bridge, repository, beside } = await openFamily();
    bridge.resources?.onProblems(() => {});
    for (let nth = 0; nth < limits.roots.open; nth += 1) {
      addWorktree(repository, `${beside}-${nth}`, copy);
      expect(await bridge.resources?.locate(`${beside}-${nth}/b.txt`)).toBe(`${beside}-${nth}/b.txt`);
    }
    const file = `${beside}/b.txt`;
    await expect(bridge.resources?.locate(file)).rejects.toMatchObject({ code: 'limit_exceeded' });
    expect((await bridge.resources?.problemsOf(file))?.text).toContain(`No problems in ${file}.`);
  });

  it('is told to have changed when its root is closed, since nobody hears of changes then', async () => {
    const { bridge, beside } = await openFamily();
    const told: (string | undefined)[] = [];
    bridge.resources?.onProblems((path) => told.push(path));
    await bridge.resources?.locate(`${beside}/b.txt`);
    await bridge.call(question.tool, { file_path: `${beside}/b.txt`, ...at });
    told.length = 0;
    rmSync(beside, { recursive: true });
    await expect.poll(() => told).toContain(undefined);
    const gone = await bridge.resources?.problemsOf(`${beside}/b.txt`);
    expect(gone?.error?.code).toBe('workspace_gone');
  });

  it('is named with the root of its servers in the status', async () => {
    const { bridge, root, beside, define } = await openFamily();
    await expectInOrder(bridge);
    await define(`${beside}/b.txt`);
    const { data, text } = await bridge.call('get_server_status', {});
    expect(data).toMatchObject({ workspace: [root, beside] });
    expect(text).toContain(beside);
    expect(bridge.health?.()).toHaveLength(2);
  });

  it.each([
    ['stop_server', 'stopped'],
    ['restart_server', 'restarted'],
  ])('has its servers too acted on by %s', async (tool, outcome) => {
    const { bridge, root, beside, define } = await openFamily();
    await expectInOrder(bridge);
    await define(`${beside}/b.txt`);
    const { data, text } = await bridge.call(tool, {});
    expect(data.servers).toMatchObject([
      { root, outcome },
      { root: beside, outcome },
    ]);
    expect(text).toContain(beside);
  });

  it('is edited and undone there, and nowhere else', async () => {
    const { bridge, root, beside } = await openFamily();
    const read = (folder: string) => readFileSync(path.join(folder, 'a.txt'), 'utf8');
    for (const folder of [nested, beside]) {
      const file_path = `${folder}/a.txt`;
      const edits = [{ file_path, old_text: 'function alpha', new_text: 'function omega' }];
      const preview = await bridge.call('apply_workspace_edit', { edits, dry_run: true, check: false });
      expect(preview.text).toContain(`${folder}/a.txt`);
      const { plan_id } = Object(preview.data.plan);
      const applied = await bridge.call('apply_workspace_edit', { plan_id, check: false });
      expect(applied).toMatchObject({ isError: false });
      expect(read(path.resolve(root, folder))).toContain('function omega');
      const undone = await bridge.call('undo_edit', { check: false });
      expect(undone).toMatchObject({ isError: false });
      expect(read(path.resolve(root, folder))).toBe(copy['a.txt']);
    }
    expect(read(root)).toContain('function alpha');
  });

  it('may be changed by an edit of the protocol, which is about one root too', async () => {
    const { bridge, beside } = await openFamily();
    const start = { line: 1, character: 0 };
    const edit = [{ range: { start, end: start }, newText: 'x ' }];
    const changes = { [pathToFileURL(`${beside}/a.txt`).href]: edit };
    const apply = (all: object) =>
      bridge.call('apply_workspace_edit', { edit: { changes: all }, dry_run: false, check: false });
    expect((await apply(changes)).text).toContain(`${beside}/a.txt`);
    expect(readFileSync(`${beside}/a.txt`, 'utf8')).toContain('x function alpha');
    const both = await apply({ ...changes, [pathToFileURL(`${bridge.root}/a.txt`).href]: edit });
    expectError(both, 'outside_workspace', 'The change touches');
  });

  it('undoes by its id what was done there, and without one the latest edit wherever it was', async () => {
    const { bridge, root, beside } = await openFamily();
    const append = async (file_path: string) => {
      const edits = [{ file_path, old_text: 'function beta', new_text: 'function gamma' }];
      const { data } = await bridge.call('apply_workspace_edit', { edits, dry_run: false, check: false });
      return Object(data.edit).edit_id;
    };
    const first = await append(`${beside}/b.txt`);
    await append('b.txt');
    expect((await bridge.call('undo_edit', { check: false })).isError).toBe(false);
    expect(readFileSync(path.join(root, 'b.txt'), 'utf8')).toContain('function beta');
    expect((await bridge.call('undo_edit', { edit_id: first, check: false })).isError).toBe(false);
    expect(readFileSync(path.join(beside, 'b.txt'), 'utf8')).toBe(copy['b.txt']);
  });

  it('does not undo in the workspace what another lspan did in a worktree in it', async () => {
    const { bridge, root, settings } = await openFamily();
    const edits = [{ file_path: `${nested}/b.txt`, old_text: 'function beta', new_text: 'function gamma' }];
    expect((await bridge.call('apply_workspace_edit', { edits, dry_run: false })).isError).toBe(false);
    const other = await openBridge(settings);
    onTestFinished(() => other.close());
    expectError(await other.call('undo_edit', {}), 'not_found', 'There is no edit to undo');
    expect(await listEdits(settings)).toEqual([]);
    expect(await listEdits({ ...settings, roots: [path.join(root, nested)] })).toHaveLength(1);
    expect(readFileSync(path.join(root, nested, 'b.txt'), 'utf8')).toContain('function gamma');
  });

  it('continues a list in the root that began it', async () => {
    const { bridge, beside } = await openFamily();
    writeFileSync(path.join(beside, 'c.txt'), 'alpha\n'.repeat(500));
    const asked = { file_path: `${beside}/b.txt`, ...at };
    const { data } = await bridge.call('find_references', asked);
    const { next_cursor: cursor } = data;
    expect(cursor).toEqual(expect.any(String));
    const rest = await bridge.call('find_references', { cursor });
    expect(rest.isError).toBe(false);
    expect(rest.text).toContain(`${beside}/c.txt`);
  });

  it('may be in every operation of a batch, but a call is about one root', async () => {
    const { bridge, beside, define } = await openFamily();
    await define(`${beside}/b.txt`);
    const operation = (file_path: string) => ({ tool: question.tool, args: { file_path, ...at } });
    const batch = (...files: string[]) => bridge.call('batch_execute', { operations: files.map(operation) });
    expect((await batch(`${beside}/b.txt`, `${beside}/b.txt`)).data).toMatchObject({ done: 2, failed: 0 });
    const mixed = await batch(`${beside}/b.txt`, 'b.txt');
    expect(mixed.data).toMatchObject({ done: 1, failed: 1 });
    const both = await bridge.call('get_diagnostics', { file_paths: [`${beside}/b.txt`, 'b.txt'] });
    expectError(both, 'outside_workspace', 'is not in the worktree', 'Call once for each worktree.');
  });

  it('is refused like any other path if the repository does not name the folder, or no longer does', async () => {
    const { bridge, repository, beside, define } = await openFamily();
    const stranger = temporaryFolder('lspan-stranger-');
    expectError(await define(`${stranger}/b.txt`), 'outside_workspace');
    expect((await define(`${beside}/b.txt`)).isError).toBe(false);
    rmSync(path.join(repository, 'worktrees/beside'), { recursive: true });
    expectError(await define(`${beside}/b.txt`), 'workspace_gone', 'none of this repository any more');
    expectError(await define(`${stranger}/b.txt`), 'outside_workspace');
    await expectInOrder(bridge);
  });
});

describe('the other roots', () => {
  it('are at most so many: the one that was idle longest is closed, with its servers', async () => {
    const { bridge, repository, logged, define } = await openFamily();
    const folder = temporaryFolder('lspan-many-');
    const names = Array.from({ length: limits.roots.open + 1 }, (_, index) => path.join(folder, `w${index}`));
    for (const name of names) {
      addWorktree(repository, name, copy);
      expect((await define(`${name}/b.txt`)).isError).toBe(false);
    }
    const closed = logged.all
      .filter(({ event }) => event === 'worktree.close')
      .map(({ fields }) => fields.root);
    expect(closed).toEqual([names[0]]);
    expect((await define(`${names[0]}/b.txt`)).data).toMatchObject({ complete: true });
    await expectInOrder(bridge);
  });

  it('share the room for servers with the workspace', async () => {
    const { bridge, beside, define, pids, config } = await openFamily();
    const { limits: bounds } = config;
    const crowded = await openFamily({ config: { limits: { ...bounds, running: 1 } } });
    await expectInOrder(crowded.bridge);
    expect((await crowded.define(`${crowded.beside}/b.txt`)).isError).toBe(false);
    const [first = 0, second = 0] = crowded.pids();
    expect(isRunning(first)).toBe(false);
    expect(isRunning(second)).toBe(true);
    await expectInOrder(bridge);
    await define(`${beside}/b.txt`);
    expect(pids().every(isRunning)).toBe(true);
  });

  it('PRC-26 share the memory of servers with the workspace', async () => {
    const bounds = { ...defaultConfig.limits, memoryOfAll: 1.5 * limits.memoryBudget.newcomer };
    const { bridge, beside, define, pids } = await openFamily({ config: { limits: bounds } });
    await expectInOrder(bridge);
    expect((await define(`${beside}/b.txt`)).isError).toBe(false);
    expect(pids().map(isRunning)).toEqual([false, true]);
  });

  it('run no program of the workspace either', async () => {
    const { root, define, beside, bridge } = await openFamily({
      servers: { fake: { command: ['lspan-evil-tool'] } },
      environment: { PATH: `<root>/bin:${process.env.PATH}` },
      files: { 'b.txt': 'alpha\n', 'bin/lspan-evil-tool': `#!/bin/sh\ntouch "$(dirname "$0")/was-run"\n` },
    });
    chmodSync(path.join(root, 'bin/lspan-evil-tool'), 0o755);
    expectError(
      await bridge.call(question.tool, { file_path: 'b.txt', line: 1, character: 1 }),
      'not_installed',
    );
    expectError(await define(`${beside}/b.txt`), 'not_installed');
    expect(existsSync(path.join(root, 'bin/was-run'))).toBe(false);
  });

  it('are opened once by calls at the same time', async () => {
    const { beside, define, logged } = await openFamily();
    const answers = await Promise.all(Array.from({ length: 8 }, () => define(`${beside}/b.txt`)));
    expect(answers.every(({ isError }) => !isError)).toBe(true);
    expect(logged.all.filter(({ event }) => event === 'worktree.open')).toHaveLength(1);
  });

  it('are gone when their folder is: the call says so, and the workspace answers as before', async () => {
    const { bridge, beside, define } = await openFamily();
    expect((await define(`${beside}/b.txt`)).isError).toBe(false);
    renameSync(beside, `${beside}-moved`);
    expectError(await define(`${beside}/b.txt`), 'workspace_gone', 'no longer exists');
    await expectInOrder(bridge);
    renameSync(`${beside}-moved`, beside);
    expect((await define(`${beside}/b.txt`)).isError).toBe(false);
  });
});
