import { expect, it } from 'vitest';
import type { Rule } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { idOf, onDisk, textOf } from '../rename/renaming-bridge.ts';

const files = {
  'a.txt': 'function alpha\n\n  function beta\n\nfunction gamma\n',
  'b.txt': 'alpha beta\n',
};

const open = (...rules: Rule[]) => openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });

function edit(bridge: TestBridge, symbol_name: string, action: string, more: object = {}) {
  return bridge.call('edit_symbol', { symbol_name, action, dry_run: false, ...more });
}

it('a symbol that is used is not deleted, and its uses are listed', async () => {
  const bridge = await open();
  const before = onDisk(bridge.root);
  const outcome = await edit(bridge, 'alpha', 'delete');
  expectError(outcome, 'refused', /"alpha" is still used in 1 place/, /"file_path":"b.txt","line":1/);
  expect(onDisk(bridge.root)).toEqual(before);
});

it('a symbol that is used is deleted by force, and undoing brings it back', async () => {
  const bridge = await open();
  const done = await edit(bridge, 'beta', 'delete', { force: true });
  expect(textOf(bridge, 'a.txt')).toBe('function alpha\n\nfunction gamma\n');
  await bridge.call('undo_edit', { edit_id: idOf(done) });
  expect(textOf(bridge, 'a.txt')).toBe(files['a.txt']);
});

it('a symbol that nothing uses is deleted', async () => {
  const bridge = await open();
  const { data } = await edit(bridge, 'gamma', 'delete');
  expect(data).toMatchObject({ complete: true, edit: { files: [{ file_path: 'a.txt', edits: 1 }] } });
  expect(textOf(bridge, 'a.txt')).toBe('function alpha\n\n  function beta\n');
});

const failing: Rule = {
  on: { method: 'textDocument/references' },
  do: [{ replyError: { code: -32603, message: 'no index' } }],
};

it('the uses of a symbol must be certain before it is deleted, but not before it is replaced', async () => {
  const bridge = await open(failing);
  expectError(await edit(bridge, 'gamma', 'delete'), 'refused', /may still be used/);
  expect((await edit(bridge, 'gamma', 'replace', { text: 'function delta' })).isError).toBe(false);
  expect((await edit(bridge, 'delta', 'delete', { force: true })).isError).toBe(false);
  expect(textOf(bridge, 'a.txt')).toBe('function alpha\n\n  function beta\n');
});

it('files that use a symbol are checked with it', async () => {
  const bridge = await openTestBridge({ files: { ...files, 'b.txt': 'alpha ERROR_b\n' } });
  const { data } = await edit(bridge, 'alpha', 'replace', { text: 'function ERROR_a' });
  expect(data).toMatchObject({
    edit: { introduced: [{ file_path: 'a.txt', code: 'ERROR_a' }], settled: true },
  });
});

it('EDT-15: a plan is stale once the file has changed', async () => {
  const bridge = await open();
  const planned = await edit(bridge, 'beta', 'insert_after', { text: 'more', dry_run: true });
  expect(planned.text).toContain('+  more');
  bridge.write('a.txt', `new\n${files['a.txt']}`);
  expectError(await bridge.call('apply_workspace_edit', { plan_id: idOf(planned) }), 'stale', /a.txt/);
});

it('a target that is not exact, or not a declaration, is an error that says what is there', async () => {
  const bridge = await open();
  const text = 'x';
  expectError(await edit(bridge, 'nobody', 'replace', { text }), 'not_found');
  const used = { file_path: 'b.txt', line: 1, character: 1, text };
  expectError(await edit(bridge, 'alpha', 'replace', used), 'not_found', /only used/);
  expectError(await edit(bridge, 'alpha', 'replace'), 'invalid_input', /needs `text`/);
  expectError(await edit(bridge, 'alpha', 'delete', { text }), 'invalid_input', /takes no `text`/);
});
