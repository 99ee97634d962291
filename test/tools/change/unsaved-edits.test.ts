import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { Outcome } from '../../../src/tools/run/tool.ts';
import { expectError, type TestBridge } from '../../test-bridge.ts';
import { idOf, onDisk, openRenaming, project, textOf } from '../rename/renaming-bridge.ts';

const held = 'function alpha\n\nalpha beta   \nERROR_held\n';

/** A bridge that holds another text of a file. */
async function openHolding(file = 'a.txt', text = held): Promise<TestBridge> {
  const bridge = await openRenaming('gamma', {
    files: { ...project, 'd/c.txt': 'word\n', 'd/d.txt': 'word\n' },
  });
  bridge.hostApi?.hold(file, text);
  return bridge;
}

const rename = { file_path: 'b.txt', line: 1, character: 6, symbol_name: 'alpha', new_name: 'gamma' };
const edits = (file_path: string, old_text: string, new_text: string) => ({
  edits: [{ file_path, old_text, new_text }],
});

describe('a file with an unsaved text', () => {
  it.each([
    ['rename_symbol', rename],
    ['apply_workspace_edit', edits('a.txt', 'beta', 'delta')],
    [
      'edit_symbol',
      { file_path: 'a.txt', symbol_name: 'alpha', action: 'replace', text: 'function alpha x' },
    ],
    ['format_document', { file_path: 'a.txt' }],
    ['delete_file', { file_path: 'a.txt', force: true }],
    ['create_file', { file_path: 'a.txt', content: '', overwrite: true }],
    ['rename_file', { old_path: 'a.txt', new_path: 'z.txt' }],
    ['batch_execute', { operations: [{ tool: 'delete_file', args: { file_path: 'a.txt' } }], atomic: true }],
  ])('is refused by name to %s, in a preview and when applied', async (tool, input) => {
    const bridge = await openHolding();
    const before = onDisk(bridge.root);
    for (const dry_run of [true, false]) {
      const outcome = await bridge.call(tool, { ...input, dry_run });
      if (tool === 'batch_execute') expect(outcome.text).toMatch(/refused.*"?a\.txt/);
      else expectError(outcome, 'refused', /a\.txt/, /unsaved/);
    }
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('is refused with its folder, and with a folder that does not exist yet', async () => {
    const bridge = await openHolding('d/c.txt');
    expectError(await bridge.call('rename_file', { old_path: 'd', new_path: 'e' }), 'refused', /d\/c\.txt/);
    expectError(
      await bridge.call('delete_file', { file_path: 'd', recursive: true, force: true }),
      'refused',
      /d\/c\.txt/,
    );
    bridge.hostApi?.hold('n/new.txt', 'word\n');
    const made = await bridge.call('create_file', { file_path: 'n/new.txt', content: 'x', dry_run: false });
    expectError(made, 'refused', /n\/new\.txt/);
    const moved = await bridge.call('rename_file', { old_path: 'b.txt', new_path: 'n/new.txt' });
    expectError(moved, 'refused', /n\/new\.txt/);
  });

  it('is refused to earlier plans and to undo, and can be changed after it was given back', async () => {
    const bridge = await openRenaming();
    const previewed = await bridge.call('rename_symbol', rename);
    bridge.hostApi?.hold('a.txt', held);
    const plan_id = idOf(previewed);
    expectError(await bridge.call('apply_workspace_edit', { plan_id, dry_run: false }), 'refused', /a\.txt/);
    bridge.hostApi?.hold('a.txt', null);
    const applied = await bridge.call('apply_workspace_edit', { plan_id, dry_run: false });
    expect(applied.isError).toBe(false);
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\ngamma beta\n');
    bridge.hostApi?.hold('b.txt', 'other\n');
    for (const dry_run of [true, false])
      expectError(await bridge.call('undo_edit', { dry_run }), 'refused', /b\.txt/);
    bridge.hostApi?.hold('b.txt', null);
    expect((await bridge.call('undo_edit', { dry_run: false })).isError).toBe(false);
    expect(textOf(bridge, 'b.txt')).toBe(project['b.txt']);
  });

  it('does not prevent changes of other files', async () => {
    const bridge = await openHolding();
    const input = { ...edits('b.txt', 'function beta', 'function beta ERROR_b'), dry_run: false };
    const { data } = await bridge.call('apply_workspace_edit', input);
    expect(data).toMatchObject({ edit: { introduced: [{ code: 'ERROR_b' }] } });
    expect(textOf(bridge, 'b.txt')).toContain('ERROR_b');
  });

  it('has candidates checked on its unsaved text, and nothing is written', async () => {
    const bridge = await openHolding();
    bridge.hostApi?.hold('n/new.txt', 'WARN_new\n');
    const before = onDisk(bridge.root);
    const candidates = [
      { id: 'fixes', ...edits('a.txt', 'ERROR_held', 'fine') },
      { id: 'new', ...edits('n/new.txt', 'WARN_new', 'fine') },
    ];
    const { data } = await bridge.call('check_edits', { candidates });
    expect(data).toMatchObject({
      candidates: [
        { id: 'new', fixed: [{ code: 'WARN_new' }], introduced: [] },
        { id: 'fixes', fixed: [{ code: 'ERROR_held', line: 4 }], introduced: [] },
      ],
    });
    const told = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
    expect(told.data).toMatchObject({ complete: true, diagnostics: [{ code: 'ERROR_held', line: 4 }] });
    expect(onDisk(bridge.root)).toEqual(before);
  });
});

describe('state between calls', () => {
  it('follows the unsaved text: problems are compared, outlines are made again', async () => {
    const bridge = await openHolding('a.txt', 'function alpha\nERROR_one\n');
    const outline = { file_path: 'a.txt' };
    const first = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
    const since = String(Reflect.get(Object(first.data), 'since'));
    bridge.hostApi?.hold('a.txt', 'function other\nERROR_two\n');
    const then = await bridge.call('get_diagnostics', { file_path: 'a.txt', since });
    expect(then.data).toMatchObject({
      introduced: [{ code: 'ERROR_two' }],
      fixed: [{ code: 'ERROR_one' }],
    });
    expect((await bridge.call('get_document_symbols', outline)).text).toContain('other');
    bridge.hostApi?.hold('a.txt', null);
    expect((await bridge.call('get_document_symbols', outline)).text).toContain('alpha');
  });

  it('includes cursors: one continues if an unsaved text does not change its list, and is stale if it does', async () => {
    const bridge = await openHolding('a.txt', `function alpha\n${'alpha beta gamma delta\n'.repeat(40)}`);
    const input = { file_path: 'a.txt', symbol_name: 'alpha', max_tokens: 200 };
    const { data } = await bridge.call('find_references', input);
    const cursor = String(Reflect.get(Object(data), 'next_cursor'));
    bridge.hostApi?.hold('d/c.txt', 'other\n');
    expect((await bridge.call('find_references', { ...input, cursor })).isError).toBe(false);
    bridge.hostApi?.hold('a.txt', `\nfunction alpha\n${'alpha\n'.repeat(40)}`);
    expectError(await bridge.call('find_references', { ...input, cursor }), 'cursor_stale');
  });
});

describe('the host API', () => {
  it('checks the given text, else the unsaved text, else the disk', async () => {
    const bridge = await openHolding();
    const { hostApi } = bridge;
    const codes = async (text?: string) => {
      const { problems } = (await hostApi?.check('a.txt', text)) ?? { problems: [] };
      return problems.map(({ line, code }) => `${line} ${code}`);
    };
    expect(await codes()).toEqual(['4 ERROR_held']);
    expect(await codes('ERROR_given\n')).toEqual(['1 ERROR_given']);
    expect(await codes()).toEqual(['4 ERROR_held']);
    hostApi?.hold('a.txt', null);
    expect(await codes()).toEqual([]);
    hostApi?.hold('new.txt', 'ERROR_new\n');
    expect((await hostApi?.problems())?.files).toMatchObject({
      'a.txt': [],
      'new.txt': [{ code: 'ERROR_new' }],
    });
  });

  it('reports to listeners that problems may have changed, and accepts no text outside the workspace', async () => {
    const bridge = await openHolding();
    const heard: unknown[] = [];
    bridge.hostApi?.onProblems((file) => heard.push(file));
    bridge.hostApi?.hold('b.txt', 'other\n');
    expect(heard).toEqual([undefined]);
    for (const file of ['../x.txt', '/etc/hostname'])
      expect(() => bridge.hostApi?.hold(file, 'text')).toThrow(/not inside the workspace/);
    expect(heard).toEqual([undefined]);
  });
});

describe('a question during which an unsaved text changes', () => {
  /** Has the text changed whenever the server is asked, as often as is said. */
  async function changing(times: number): Promise<Outcome> {
    const bridge = await openHolding('a.txt', 'function alpha\nalpha\n');
    let changed = 0;
    const keep = async () => {
      for (let nth = 1; nth <= times; nth += 1) {
        await bridge.sent('textDocument/references', nth);
        changed += 1;
        bridge.hostApi?.hold('a.txt', `${'\n'.repeat(changed)}function alpha\nalpha\n`);
      }
    };
    const keeping = keep();
    const asked = bridge.call('find_references', { file_path: 'a.txt', symbol_name: 'alpha' });
    const outcome = await asked;
    await keeping;
    return outcome;
  }

  it('is asked again, and answered for the current text', async () => {
    const { data } = await changing(1);
    expect(data).toMatchObject({ complete: true, doubts: [], references: [{ line: 2 }, { line: 3 }, {}] });
  });

  it('gets a doubt if the text keeps changing', async () => {
    const { data } = await changing(limits.held.attempts);
    expect(data).toMatchObject({ complete: false, doubts: expect.any(Array) });
    expect(JSON.stringify(data)).toContain('unsaved_elsewhere');
  });
});
