import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FakeScript } from '../../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge } from '../../test-bridge.ts';
import { withSeed } from '../../with-seed.ts';
import { idOf, onDisk, openRenaming, textOf } from '../rename/renaming-bridge.ts';

const edit = (file_path: string, old_text: string, new_text: string) => ({
  tool: 'apply_workspace_edit',
  args: { edits: [{ file_path, old_text, new_text }] },
});
const create = (file_path: string, content: string) => ({
  tool: 'create_file',
  args: { file_path, content },
});
const remove = (file_path: string) => ({ tool: 'delete_file', args: { file_path, force: true } });
const move = (old_path: string, new_path: string) => ({ tool: 'rename_file', args: { old_path, new_path } });
const problems = (...file_paths: string[]) => ({ tool: 'get_diagnostics', args: { file_paths } });
const rename = (new_name: string, more: object = {}) => ({
  tool: 'rename_symbol',
  args: { file_path: 'a.txt', symbol_name: 'alpha', new_name, ...more },
});
const atomic = (bridge: TestBridge, operations: readonly object[], more: object = {}) =>
  bridge.call('batch_execute', { operations, atomic: true, ...more });

describe('an atomic batch', () => {
  it('EDT-35: is one plan, whose operations see what those before them leave, and writes nothing', async () => {
    const bridge = await openRenaming('gamma');
    const before = onDisk(bridge.root);
    const outline = { tool: 'get_document_symbols', args: { file_path: 'new.txt' } };
    const replace = {
      tool: 'edit_symbol',
      args: { file_path: 'a.txt', symbol_name: 'gamma', action: 'replace', text: 'function gamma ERROR_g' },
    };
    const operations = [
      rename('gamma'),
      replace,
      create('new.txt', 'function other\ngamma\n'),
      outline,
      problems('a.txt', 'new.txt'),
    ];
    const { data, text } = await atomic(bridge, operations);
    expect(data).toMatchObject({
      complete: true,
      done: 5,
      failed: 0,
      plan: {
        plan_id: expect.any(String),
        title: 'batch (rename alpha to gamma, replace gamma, create new.txt)',
        files: [
          { file_path: 'a.txt', change: 'edit' },
          { file_path: 'b.txt', change: 'edit', edits: 1 },
          { file_path: 'new.txt', change: 'create' },
        ],
        introduced_counts: { error: 1 },
      },
      results: [
        { data: { step: { title: 'rename alpha to gamma', files: [{}, {}] } } },
        { data: { step: { title: 'replace gamma', files: [{ file_path: 'a.txt' }] } } },
        { data: { step: { files: [{ file_path: 'new.txt', change: 'create' }] } } },
        { data: { symbols: [{ name: 'other' }] } },
        { data: { diagnostics: [{ file_path: 'a.txt', line: 1 }] } },
      ],
    });
    expect(text).toContain('+function gamma ERROR_g\n');
    expect(text).toContain('"2" edit_symbol: ok\n  Part of the plan: replace gamma, 1 file, 1 edit.');
    expect(onDisk(bridge.root)).toEqual(before);
    const now = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
    expect(now.data).toMatchObject({ complete: true, diagnostics: [] });
  });

  it('EDT-36: is applied by its plan as one edit, and undone by one undo', async () => {
    const bridge = await openRenaming('gamma');
    const before = textsOf(bridge);
    const operations = [
      rename('gamma'),
      edit('a.txt', 'gamma beta', 'gamma delta'),
      create('sub/new.txt', 'gamma\n'),
    ];
    const plan_id = idOf(await atomic(bridge, operations));
    const done = await bridge.call('apply_workspace_edit', { plan_id });
    expect(done.data).toMatchObject({ edit: { files: [{}, {}, { file_path: 'sub/new.txt' }] } });
    expect(textsOf(bridge)).toEqual({
      'a.txt': 'function gamma\ngamma delta\n',
      'b.txt': 'beta gamma\nfunction beta\n',
      'sub/new.txt': 'gamma\n',
    });
    await bridge.call('undo_edit', { edit_id: idOf(done) });
    expect(textsOf(bridge)).toEqual(before);
  });

  it('with dry_run: false is on the disk at once, as one edit', async () => {
    const bridge = await openRenaming('gamma');
    const operations = [edit('a.txt', 'beta', 'delta'), rename('gamma'), problems('a.txt')];
    const { data } = await atomic(bridge, operations, { dry_run: false });
    expect(data).toMatchObject({ done: 3, edit: { edit_id: expect.any(String), settled: true } });
    expect(data).not.toHaveProperty('plan');
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\ngamma delta\n');
  });

  it('renames in the text that earlier operations leave', async () => {
    // The server's places are a line further down in a.txt than on the disk.
    const bridge = await openRenaming('gamma', { places: ['a.txt:1:9', 'a.txt:2:0', 'b.txt:0:5'] });
    const operations = [edit('a.txt', 'function alpha', 'function first\nfunction alpha'), rename('gamma')];
    const { data } = await atomic(bridge, operations, { dry_run: false });
    expect(data).toMatchObject({ done: 2, complete: true });
    expect(textOf(bridge, 'a.txt')).toBe('function first\nfunction gamma\ngamma beta\n');
    const asked = bridge.received().map((message) => JSON.stringify(message));
    const renamed = asked.findIndex((message) => message.includes('textDocument/rename'));
    expect(asked.slice(0, renamed).join()).toContain('function first');
  });

  it('EDT: refuses a rename in doubt unless the doubt is accepted, and shows the doubt in a preview', async () => {
    const open = () => openRenaming('gamma', { places: ['a.txt:0:9', 'a.txt:1:0'] });
    const bridge = await open();
    const before = onDisk(bridge.root);
    const operations = [create('c.txt', 'x\n'), rename('gamma')];
    const refused = await atomic(bridge, operations, { dry_run: false });
    expect(refused.data).toMatchObject({ unwritten: true, results: [{}, { error: { code: 'refused' } }] });
    expect(onDisk(bridge.root)).toEqual(before);
    const preview = await atomic(bridge, operations);
    expect(preview.data).toMatchObject({ complete: false, plan: { incomplete: true } });
    const plan_id = idOf(preview);
    expectError(await bridge.call('apply_workspace_edit', { plan_id }), 'refused', /in doubt/);
    const accepted = [create('c.txt', 'x\n'), rename('gamma', { allow_incomplete: true })];
    const done = await atomic(bridge, accepted, { dry_run: false });
    expect(done.data).toMatchObject({ complete: false, edit: { files: [{}, {}] } });
  });

  it('that fails at any operation leaves the disk byte for byte, and says where', async () => {
    const bridge = await openTestBridge();
    const before = onDisk(bridge.root);
    const operations = [
      edit('a.txt', 'beta', 'gamma'),
      create('c.txt', 'x\n'),
      { id: 'bad', ...edit('a.txt', 'beta', 'delta') },
      remove('b.txt'),
    ];
    const { data, text } = await atomic(bridge, operations, { dry_run: false });
    expect(data).toMatchObject({
      unwritten: true,
      done: 2,
      failed: 1,
      skipped: 1,
      results: [{}, {}, { id: 'bad', error: { code: 'not_found' } }, { skipped: '"bad" failed' }],
    });
    expect(data).not.toHaveProperty('plan');
    expect(text).toMatch(
      /^4 operations: 2 done, 1 failed, 1 skipped\. Nothing was written: the batch is atomic/,
    );
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('whose server dies meanwhile leaves the disk byte for byte', async () => {
    const dies = { on: { method: 'textDocument/rename' }, do: [{ exit: { code: 1 } }] };
    const script: FakeScript = { capabilities: { renameProvider: true }, rules: [dies] };
    const bridge = await openTestBridge({ servers: { fake: { lives: [script] } } });
    const before = onDisk(bridge.root);
    const { data } = await atomic(bridge, [create('c.txt', 'x\n'), rename('gamma')], { dry_run: false });
    expect(data).toMatchObject({ unwritten: true, results: [{ ok: true }, { ok: false }] });
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('EDT-16: is refused as a whole if a file changes between the operations and the plan', async () => {
    const bridge = await openTestBridge();
    const plan_id = idOf(await atomic(bridge, [edit('a.txt', 'beta', 'x'), edit('a.txt', 'x', 'y')]));
    bridge.write('a.txt', 'function alpha\nalpha beta, changed\n');
    expectError(await bridge.call('apply_workspace_edit', { plan_id }), 'stale', /a\.txt/);
    expect(textOf(bridge, 'a.txt')).toBe('function alpha\nalpha beta, changed\n');
  });

  it('keeps no plan of a single operation that could be applied alone', async () => {
    const bridge = await openTestBridge();
    const operations = [edit('a.txt', 'beta', 'gamma'), edit('a.txt', 'gamma', 'delta')];
    const { data } = await atomic(bridge, operations);
    expect(JSON.stringify(data).match(/p-\w{10}/g)).toHaveLength(1);
  });

  it('of changes that cancel each other has nothing to do', async () => {
    const bridge = await openTestBridge();
    const operations = [edit('a.txt', 'beta', 'x'), edit('a.txt', 'alpha x', 'alpha beta')];
    const { data, text } = await atomic(bridge, operations);
    expect(data).not.toHaveProperty('plan');
    expect(text).toContain('Nothing to change.');
  });

  it('formats a document as earlier operations leave it, and offers no action for it', async () => {
    const files = { 'a.txt': 'function alpha\n   beta\n' };
    const bridge = await openTestBridge({ files });
    const actions = { tool: 'get_code_actions', args: { file_path: 'a.txt' } };
    const operations = [
      edit('a.txt', '   beta', '   ERROR_x  '),
      { tool: 'format_document', args: { file_path: 'a.txt' } },
      actions,
    ];
    const { data } = await atomic(bridge, operations, { dry_run: false, check: false });
    expect(data).toMatchObject({
      results: [{}, { data: { step: { title: 'format a.txt' } } }, { ok: true }],
    });
    expect(textOf(bridge, 'a.txt')).toBe('function alpha\n   ERROR_x\n');
    const action_id = /"action_id":"(a-\w+)"/.exec(JSON.stringify(data))?.[1];
    expectError(await bridge.call('get_code_actions', { action_id }), 'stale');
  });

  it('keeps byte order marks and line endings through several operations', async () => {
    const bridge = await openTestBridge({ files: { 'a.txt': '\uFEFFone\r\ntwo\r\n' } });
    const operations = [
      edit('a.txt', 'one', 'uno'),
      edit('a.txt', 'two', 'due\ntre'),
      edit('a.txt', 'uno', 'un'),
    ];
    await atomic(bridge, operations, { dry_run: false, check: false });
    expect(textOf(bridge, 'a.txt')).toBe('\uFEFFun\r\ndue\r\ntre\r\n');
  });

  it('BND-17: touches protected paths only if the operation names them', async () => {
    const bridge = await openTestBridge();
    const hook = (more: object) => ({ ...create('.github/workflows/x.yml', 'on: push\n'), ...more });
    const refused = await atomic(bridge, [edit('a.txt', 'beta', 'x'), hook({})], { dry_run: false });
    expect(refused.data).toMatchObject({ unwritten: true, results: [{}, { error: { code: 'protected' } }] });
    const args = { ...hook({}).args, allow_protected: ['.github/workflows/x.yml'] };
    const done = await atomic(bridge, [edit('a.txt', 'beta', 'x'), hook({ args })], { dry_run: false });
    expect(done.data).toMatchObject({ done: 2, edit: { files: [{}, {}] } });
  });
});

describe('in an atomic batch, moving or deleting files', () => {
  const files = { 'a.txt': 'function alpha\n', 'lib/b.txt': 'beta\n', 'lib/c.txt': 'gamma\n' };

  it('can come last, after edits of the same file', async () => {
    const bridge = await openTestBridge({ files });
    const operations = [edit('a.txt', 'alpha', 'omega'), move('a.txt', 'new/a.txt'), remove('lib/b.txt')];
    const { data } = await atomic(bridge, operations.slice(0, 2), { dry_run: false });
    expect(data).toMatchObject({
      edit: { files: [{ file_path: 'a.txt', new_path: 'new/a.txt', edits: 1 }] },
    });
    expect(textsOf(bridge)).toEqual({
      'lib/b.txt': 'beta\n',
      'lib/c.txt': 'gamma\n',
      'new/a.txt': 'function omega\n',
    });
    await bridge.call('undo_edit', {});
    expect(textsOf(bridge)).toEqual(files);
    const last = await atomic(bridge, [operations[0] ?? {}, remove('lib/b.txt')], { dry_run: false });
    expect(last.data).toMatchObject({ edit: { files: [{}, { file_path: 'lib/b.txt', change: 'delete' }] } });
  });

  it('can be followed by text edits, which see the new names', async () => {
    const bridge = await openTestBridge({ files });
    const operations = [
      move('lib/b.txt', 'moved.txt'),
      edit('moved.txt', 'beta', 'delta'),
      create('lib/b.txt', 'other\n'),
    ];
    const { data } = await atomic(bridge, operations, { dry_run: false, check: false });
    expect(data).toMatchObject({ done: 3 });
    expect(textsOf(bridge)).toEqual({ ...files, 'lib/b.txt': 'other\n', 'moved.txt': 'delta\n' });
    const gone = await atomic(bridge, [remove('lib/b.txt'), edit('lib/b.txt', 'other', 'x')]);
    expect(gone.data).toMatchObject({ results: [{}, { error: { code: 'not_found' } }] });
  });

  it('cannot be followed by questions to a server, nor by anything after the move of a folder', async () => {
    const bridge = await openTestBridge({ files });
    const before = onDisk(bridge.root);
    const hover = { tool: 'get_hover', args: { file_path: 'a.txt', line: 1, character: 10 } };
    const asked = await atomic(bridge, [move('lib/b.txt', 'd.txt'), hover], { dry_run: false });
    expect(asked.data).toMatchObject({
      unwritten: true,
      results: [{}, { error: { code: 'not_supported' } }],
    });
    expect(asked.text).toContain('Put moves and deletes last in an atomic batch');
    const folder = await atomic(bridge, [move('lib', 'src'), create('x.txt', '')], { dry_run: false });
    expect(folder.data).toMatchObject({
      unwritten: true,
      results: [{}, { error: { code: 'not_supported' } }],
    });
    expect(onDisk(bridge.root)).toEqual(before);
    const alone = await atomic(bridge, [edit('lib/b.txt', 'beta', 'x'), move('lib', 'src')], {
      dry_run: false,
    });
    expect(alone.data).toMatchObject({ done: 2 });
    expect(textsOf(bridge)).toEqual({ 'a.txt': files['a.txt'], 'src/b.txt': 'x\n', 'src/c.txt': 'gamma\n' });
  });

  it('operations that cannot be part of it are refused with a next step', async () => {
    const bridge = await openTestBridge({ files });
    const plan_id = idOf(await bridge.call('create_file', { file_path: 'x.txt', content: '' }));
    for (const operation of [{ tool: 'apply_workspace_edit', args: { plan_id } }, { tool: 'undo_edit' }]) {
      const { data } = await atomic(bridge, [operation], { dry_run: false });
      expect(data).toMatchObject({ unwritten: true, results: [{ error: { code: 'not_supported' } }] });
    }
    const whole = await atomic(bridge, [edit('a.txt', 'alpha', 'x'), { tool: 'get_diagnostics' }]);
    expect(whole.data).toMatchObject({ results: [{}, { error: { code: 'not_supported' } }] });
  });
});

it('an atomic batch of random edits leaves the same as the edits one after the other, or nothing', async () => {
  const bridge = await openTestBridge({ files: {} });
  const word = fc.constantFrom('one', 'two', 'three four', 'a\nb', '\r\n', 'é😀', '');
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  const choice = fc.record({
    kind: fc.constantFrom('edit', 'edit', 'edit', 'edit', 'put', 'remove'),
    file: fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt'),
    at: fc.nat(30),
    length: fc.nat(8),
    word,
  });
  const start = fc.record({ 'a.txt': text, 'b.txt': text });
  const lay = (texts: Readonly<Record<string, string>>) => {
    for (const file of Object.keys(textsOf(bridge))) bridge.remove(file);
    for (const [file, held] of Object.entries(texts)) bridge.write(file, held);
  };
  await fc.assert(
    fc.asyncProperty(start, fc.array(choice, { minLength: 2, maxLength: 8 }), async (texts, choices) => {
      const input = { operations: operationsOf(choices, texts), dry_run: false, check: false };
      lay(texts);
      const sequential = await bridge.call('batch_execute', input);
      const expected = textsOf(bridge);
      lay(texts);
      const before = onDisk(bridge.root);
      const joint = await bridge.call('batch_execute', { ...input, atomic: true });
      const { done, failed, skipped } = sequential.data;
      // Only what would ask a server after a file is gone may be refused beyond that.
      if (!joint.text.includes('not_supported')) expect(joint.data).toMatchObject({ done, failed, skipped });
      if (joint.data.unwritten) expect(onDisk(bridge.root)).toEqual(before);
      else expect(textsOf(bridge)).toEqual(expected);
    }),
    withSeed({ numRuns: 40 }),
  );
});

interface Choice {
  readonly kind: string;
  readonly file: string;
  readonly at: number;
  readonly length: number;
  readonly word: string;
}

/** Operations that mostly can be done, since they are chosen by what the ones before them leave. */
function operationsOf(choices: readonly Choice[], start: Readonly<Record<string, string>>) {
  const texts = new Map(Object.entries(start));
  return choices.map(({ kind, file, at, length, word }) => {
    const held = texts.get(file);
    if (held === undefined || kind === 'put') {
      texts.set(file, word);
      return { ...create(file, word), args: { file_path: file, content: word, overwrite: true } };
    }
    if (kind === 'remove') {
      texts.delete(file);
      return remove(file);
    }
    const piece = held.slice(at, at + length + 1);
    const old = held.split(piece).length === 2 ? piece : held;
    texts.set(
      file,
      held.replace(old, () => word),
    );
    return edit(file, old, word);
  });
}

function textsOf({ root }: TestBridge): Record<string, string> {
  return Object.fromEntries(
    Object.keys(onDisk(root)).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );
}
