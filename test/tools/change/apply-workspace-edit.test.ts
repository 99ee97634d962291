import { describe, expect, it } from 'vitest';
import { surfaces } from '../../../src/surfaces/index.ts';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { idOf, onDisk, textOf } from '../rename/renaming-bridge.ts';

const files = { 'a.txt': 'function alpha\r\nalpha beta\r\nalpha beta\r\n', 'b.txt': 'one two three\n' };
const open = () => openTestBridge({ files });

/** Applies replacements at once. */
function replace(bridge: TestBridge, ...edits: readonly (readonly [string, string, string])[]) {
  return bridge.call('apply_workspace_edit', {
    edits: edits.map(([file_path, old_text, new_text]) => ({ file_path, old_text, new_text })),
    dry_run: false,
  });
}

describe('replacements of texts', () => {
  it('are made if the old text occurs once, whatever the line endings', async () => {
    const bridge = await open();
    const { data, text } = await replace(
      bridge,
      ['a.txt', 'alpha\nalpha', 'gamma\nalpha'],
      ['b.txt', 'two', 'ERROR_x'],
    );
    expect(data, text).toMatchObject({
      complete: true,
      edit: { files: [{ file_path: 'a.txt' }, { file_path: 'b.txt' }], introduced_counts: { error: 1 } },
    });
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\r\nalpha beta\r\nalpha beta\r\n');
    expect(textOf(bridge, 'b.txt')).toBe('one ERROR_x three\n');
  });

  it('are not said to introduce a problem that the server reports in one of two checks', async () => {
    const nothing = { replyValue: { kind: 'full', items: [] } };
    const preview = async (nth: number) => {
      const rules = [{ on: { method: 'textDocument/diagnostic', nth }, do: [nothing] }];
      const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
      const edits = [{ file_path: 'b.txt', old_text: 'two', new_text: 'ERROR_x' }];
      return bridge.call('apply_workspace_edit', { edits, dry_run: true });
    };
    const once = await preview(3);
    expect(once.data).toMatchObject({ plan: { introduced: [], settled: false } });
    expect(once.text).toContain('Not settled: A problem was reported in one of two checks of the same text.');
    const always = await preview(4);
    expect(always.data).toMatchObject({ plan: { introduced_counts: { error: 1 }, settled: true } });
  });

  it.each([false, true])(
    'that replace one word do not introduce and fix a problem whose message still has the old word (dry_run: %s)',
    async (dry_run) => {
      const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 7 } };
      const items = [{ range, severity: 1, message: 'A number of type two is too large.' }];
      const rules = [
        { on: { method: 'textDocument/diagnostic' }, do: [{ replyValue: { kind: 'full', items } }] },
      ];
      const bridge = await openTestBridge({ files, servers: { fake: { lives: [{ rules }] } } });
      const edits = [{ file_path: 'b.txt', old_text: 'two', new_text: 'seven' }];
      const { data, text } = await bridge.call('apply_workspace_edit', { edits, dry_run });
      const untouched = { introduced: [], fixed_count: 0, settled: true };
      expect(data, text).toMatchObject(dry_run ? { plan: untouched } : { edit: untouched });
    },
  );

  it('may begin with a character of two UTF-16 units, once or twice', async () => {
    const bridge = await openTestBridge({ files: { 'a.txt': '😀 one 😁 two 😁\n' } });
    await replace(bridge, ['a.txt', '😀', 'x']);
    expect(textOf(bridge, 'a.txt')).toBe('x one 😁 two 😁\n');
    expectError(await replace(bridge, ['a.txt', '😁', 'x']), 'ambiguous', /occurs 2 times/);
  });

  it('of one file are made one after the other', async () => {
    const bridge = await open();
    await replace(
      bridge,
      ['b.txt', 'one', 'two\nfour'],
      ['b.txt', 'four two', 'five'],
      ['./b.txt', 'two\nfive', ''],
    );
    expect(textOf(bridge, 'b.txt')).toBe(' three\n');
  });

  it('with an empty old text create a file, which can be changed at once', async () => {
    const bridge = await open();
    const { data } = await replace(bridge, ['new/c.txt', '', 'some text\n'], ['new/c.txt', 'some', 'a']);
    expect(data).toMatchObject({ edit: { files: [{ file_path: 'new/c.txt', change: 'create' }] } });
    expect(textOf(bridge, 'new/c.txt')).toBe('a text\n');
  });

  it('that are ambiguous change nothing, and the error names the lines', async () => {
    const bridge = await open();
    const before = onDisk(bridge.root);
    const good = ['b.txt', 'one', 'zero'] as const;
    expectError(await replace(bridge, good, ['a.txt', 'alpha beta', 'x']), 'ambiguous', /lines 2, 3/);
    expectError(
      await replace(bridge, good, ['b.txt', 'two  three', 'x']),
      'not_found',
      /white space, .* line 1/,
    );
    expectError(await replace(bridge, good, ['b.txt', 'four', 'x']), 'not_found', /"b\.txt"/);
    expectError(await replace(bridge, good, ['b.txt', '', 'x']), 'invalid_input', /exists/);
    expectError(await replace(bridge, good, ['c.txt', 'four', 'x']), 'not_found', /"c\.txt"/);
    expectError(await replace(bridge, good, ['../c.txt', '', 'x']), 'outside_workspace');
    expect(onDisk(bridge.root)).toEqual(before);
  });
});

describe('an edit in the form of the protocol', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  const uri = (bridge: TestBridge, file: string) => `file://${bridge.root}/${file}`;

  it('is previewed unless it is to be applied', async () => {
    const bridge = await open();
    const edit = { changes: { [uri(bridge, 'b.txt')]: [{ range, newText: 'six' }] } };
    const preview = await bridge.call('apply_workspace_edit', { edit });
    expect(preview.data).toMatchObject({ plan: { diff: expect.stringContaining('+six two three') } });
    expect(textOf(bridge, 'b.txt')).toBe(files['b.txt']);
    await bridge.call('apply_workspace_edit', { plan_id: idOf(preview) });
    expect(textOf(bridge, 'b.txt')).toBe('six two three\n');
  });

  it('that violates the protocol is refused', async () => {
    const bridge = await open();
    const edit = { changes: { [uri(bridge, 'b.txt')]: [{ range: { start: { line: -1 } }, newText: '' }] } };
    expectError(await bridge.call('apply_workspace_edit', { edit, dry_run: false }), 'invalid_input');
  });

  it('EDT-23 that needs confirmation is applied only after a preview, by its plan', async () => {
    const bridge = await open();
    const edit = {
      documentChanges: [
        {
          textDocument: { uri: uri(bridge, 'b.txt'), version: null },
          edits: [{ range, newText: 'six', annotationId: 'risk' }],
        },
      ],
      changeAnnotations: { risk: { label: 'Changes what others rely on', needsConfirmation: true } },
    };
    const atOnce = await bridge.call('apply_workspace_edit', { edit, dry_run: false });
    expectError(atOnce, 'refused', /Changes what others rely on/);
    expect(textOf(bridge, 'b.txt')).toBe(files['b.txt']);
    const preview = await bridge.call('apply_workspace_edit', { edit });
    expect(preview.data).toMatchObject({ plan: { confirm: ['Changes what others rely on'] } });
    await bridge.call('apply_workspace_edit', { plan_id: idOf(preview) });
    expect(textOf(bridge, 'b.txt')).toBe('six two three\n');
  });

  it('must be the only form that is given', async () => {
    const bridge = await open();
    const edits = [{ file_path: 'b.txt', old_text: 'one', new_text: 'x' }];
    expectError(await bridge.call('apply_workspace_edit', {}), 'invalid_input', /None of/);
    expectError(
      await bridge.call('apply_workspace_edit', { edits, edit: {} }),
      'invalid_input',
      /More than one/,
    );
  });
});

describe('BND-17 a protected path', () => {
  const file = '.github/workflows/ci.yml';

  it('is touched only if the call names it', async () => {
    const bridge = await openTestBridge({ files: { ...files, [file]: 'run: one\n' } });
    const edits = [{ file_path: file, old_text: 'one', new_text: 'two' }];
    expectError(await bridge.call('apply_workspace_edit', { edits }), 'protected', /ci\.yml/);
    expectError(await bridge.call('apply_workspace_edit', { edits, dry_run: false }), 'protected', /ci\.yml/);
    expect(textOf(bridge, file)).toBe('run: one\n');
    await bridge.call('apply_workspace_edit', { edits, dry_run: false, allow_protected: [file] });
    expect(textOf(bridge, file)).toBe('run: two\n');
  });
});

describe('undoing an edit', () => {
  it('undoes the last one, or the one that is named', async () => {
    const bridge = await open();
    const first = idOf(await replace(bridge, ['b.txt', 'one', 'ERROR_x']));
    await replace(bridge, ['a.txt', 'function', 'func']);
    await bridge.call('undo_edit', {});
    expect(textOf(bridge, 'a.txt')).toBe(files['a.txt']);
    const shown = await bridge.call('undo_edit', { edit_id: first, dry_run: true });
    expect(shown.data).toMatchObject({ plan: { files: [{ file_path: 'b.txt' }] } });
    expect(textOf(bridge, 'b.txt')).toBe('ERROR_x two three\n');
    const undone = await bridge.call('undo_edit', { edit_id: first });
    expect(undone.data).toMatchObject({ edit: { undoes: first, fixed_count: 1, introduced: [] } });
    expect(textOf(bridge, 'b.txt')).toBe(files['b.txt']);
  });

  it('EDT-34 is refused with a diff if the file has changed since', async () => {
    const bridge = await open();
    await replace(bridge, ['b.txt', 'one', 'four']);
    bridge.write('b.txt', 'four two three, and more\n');
    const refused = await bridge.call('undo_edit', {});
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('and more');
    expect(textOf(bridge, 'b.txt')).toBe('four two three, and more\n');
  });

  it('fails if there is no such edit', async () => {
    const bridge = await open();
    expectError(await bridge.call('undo_edit', {}), 'not_found');
    expectError(await bridge.call('undo_edit', { edit_id: 'e-nothing' }), 'not_found');
  });
});

describe('a read-only lspan', () => {
  const writing = surfaces.flatMap(({ tools }) => tools.filter(({ effects }) => effects === 'files'));

  it.each(writing.map(({ name }) => name))('refuses %s', async (name) => {
    const bridge = await openTestBridge({ files, config: { readOnly: true } });
    expectError(await bridge.call(name, {}), 'refused', /read-only/);
  });
});
