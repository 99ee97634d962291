import { describe, expect, it } from 'vitest';
import { expectError, temporaryFolder } from '../../test-bridge.ts';
import { idOf, onDisk, openRenaming, places, project, textOf } from './renaming-bridge.ts';

const alpha = { symbol_name: 'alpha', file_path: 'a.txt' };

describe('a preview of a rename', () => {
  it('EDT-35 has no side effects: not on the disk, not in the state of lspan, not in the server', async () => {
    const XDG_STATE_HOME = temporaryFolder('lspan-state-');
    const bridge = await openRenaming('ERROR_x', { environment: { XDG_STATE_HOME } });
    const before = onDisk(bridge.root);
    const preview = await bridge.call('rename_symbol', { ...alpha, new_name: 'ERROR_x' });
    expect(preview.data).toMatchObject({ plan: { introduced: [{}, {}, {}] } });
    expect(onDisk(bridge.root)).toEqual(before);
    expect(onDisk(XDG_STATE_HOME)).toEqual({});
    const problems = await bridge.call('get_diagnostics', { file_paths: ['a.txt', 'b.txt'] });
    expect(problems.data).toMatchObject({ complete: true, diagnostics: [] });
  });

  it('shows files, edits, a diff, and the problems that would follow', async () => {
    const bridge = await openRenaming('ERROR_x');
    const { data, text } = await bridge.call('rename_symbol', { ...alpha, new_name: 'ERROR_x' });
    expect(data).toMatchObject({
      complete: true,
      plan: {
        plan_id: expect.stringMatching(/^p-/),
        title: 'rename alpha to ERROR_x',
        files: [
          { file_path: 'a.txt', change: 'edit', edits: 2 },
          { file_path: 'b.txt', change: 'edit', edits: 1 },
        ],
        introduced_counts: { error: 3 },
        fixed: [],
        settled: true,
      },
    });
    expect(text).toContain('Preview of rename alpha to ERROR_x: 2 files, 3 edits. Nothing has been written.');
    expect(text).toContain('+function ERROR_x\n+ERROR_x beta\n');
    expect(text).toContain('3 errors introduced, none fixed.');
  });

  it('without check asks for no problems', async () => {
    const bridge = await openRenaming();
    const { data } = await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma', check: false });
    expect(data).toMatchObject({ plan: { files: [{}, {}] } });
    expect(data.plan).not.toHaveProperty('introduced');
    expect(bridge.received().some(({ method }) => method === 'textDocument/diagnostic')).toBe(false);
  });

  it('keeps all files if the budget cuts the diff', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `f${index}.txt`);
    const long = `alpha ${'beta '.repeat(40)}\n`;
    const files = { 'a.txt': 'function alpha\n', ...Object.fromEntries(many.map((file) => [file, long])) };
    const bridge = await openRenaming('gamma', {
      files,
      places: ['a.txt:0:9', ...many.map((file) => `${file}:0:0`)],
    });
    const input = { ...alpha, new_name: 'gamma', max_tokens: 1_000 };
    const { data, text } = await bridge.call('rename_symbol', input);
    expect(data).toMatchObject({ plan: { files: { length: 61 } } });
    expect(text).toContain('  f59.txt  1\n');
    expect(text).toContain('… cut here: raise max_tokens for more.');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_500);
  });
});

describe('applying a rename', () => {
  it('in one call writes to the disk, and the answer says so first', async () => {
    const bridge = await openRenaming('ERROR_x');
    const { data, text } = await bridge.call('rename_symbol', {
      ...alpha,
      new_name: 'ERROR_x',
      dry_run: false,
    });
    expect(text).toMatch(/^Done: rename alpha to ERROR_x, 2 files, 3 edits\. Written to disk/);
    expect(data).toMatchObject({ edit: { introduced_counts: { error: 3 }, settled: true } });
    expect(textOf(bridge, 'a.txt')).toBe('function ERROR_x\nERROR_x beta\n');
    expect(textOf(bridge, 'b.txt')).toBe('beta ERROR_x\nfunction beta\n');
  });

  it('EDT-36 by its plan happens once', async () => {
    const bridge = await openRenaming();
    const plan_id = idOf(await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma' }));
    const done = await bridge.call('rename_symbol', { plan_id });
    expect(done.data).toMatchObject({ edit: { files: [{}, {}], introduced: [], fixed: [] } });
    expectError(await bridge.call('rename_symbol', { plan_id }), 'already_applied');
    expectError(await bridge.call('apply_workspace_edit', { plan_id }), 'already_applied');
    expect(textOf(bridge, 'b.txt')).toBe('beta gamma\nfunction beta\n');
  });

  it('EDT-36 twice at the same time happens once, and of two plans for one file the later is stale', async () => {
    const bridge = await openRenaming();
    const [plan_id, other] = [
      idOf(await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma' })),
      idOf(await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma' })),
    ];
    const both = [plan_id, plan_id].map((id) => bridge.call('rename_symbol', { plan_id: id, check: false }));
    const codes = (await Promise.all(both)).map(({ data }) => JSON.stringify(data.error ?? 'done'));
    expect(codes.sort()).toEqual(['"done"', expect.stringContaining('already_applied')]);
    expectError(await bridge.call('rename_symbol', { plan_id: other }), 'stale');
    expect(textOf(bridge, 'b.txt')).toBe('beta gamma\nfunction beta\n');
  });

  it('by its plan can be previewed once more instead', async () => {
    const bridge = await openRenaming();
    const plan_id = idOf(await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma' }));
    const again = await bridge.call('rename_symbol', { plan_id, dry_run: true });
    expect(again.data).toMatchObject({ plan: { plan_id } });
    expect(textOf(bridge, 'b.txt')).toBe(project['b.txt']);
  });

  it('EDT-16 is refused if a file has changed since the preview', async () => {
    const bridge = await openRenaming();
    const plan_id = idOf(await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma' }));
    bridge.write('b.txt', 'beta alpha, changed\n');
    expectError(await bridge.call('rename_symbol', { plan_id }), 'stale', /b\.txt/);
    expect(textOf(bridge, 'a.txt')).toBe(project['a.txt']);
    expect(textOf(bridge, 'b.txt')).toBe('beta alpha, changed\n');
  });

  it('is reported even if the server dies when it is asked for problems', async () => {
    const rules = [{ on: { method: 'textDocument/diagnostic' }, do: [{ exit: { code: 1 } }] }];
    const bridge = await openRenaming('gamma', { rules });
    const { data, text, isError } = await bridge.call('rename_symbol', {
      ...alpha,
      new_name: 'gamma',
      dry_run: false,
    });
    expect(isError, text).toBe(false);
    expect(data).toMatchObject({
      edit: {
        files: [{}, {}],
        introduced: [],
        settled: false,
        not_settled: ['a.txt', 'b.txt'],
        unsettled_because: expect.any(Array),
      },
    });
    expect(text).toMatch(/^Done: /);
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\ngamma beta\n');
  });
});

describe('a call that is cancelled', () => {
  const wanted = { ...alpha, new_name: 'gamma', dry_run: false };
  /** The server answers the question for problems only once the call is over. */
  const slow = (nth: number) => ({
    rules: [{ on: { method: 'textDocument/diagnostic', nth }, do: [{ never: true as const }] }],
  });

  it('before the write changes nothing', async () => {
    const bridge = await openRenaming('gamma', slow(1));
    const caller = new AbortController();
    const asked = bridge.call('rename_symbol', wanted, { signal: caller.signal });
    await bridge.sent('textDocument/diagnostic');
    caller.abort();
    expect((await asked).data).toMatchObject({ error: { code: 'cancelled' } });
    expect(textOf(bridge, 'a.txt')).toBe(project['a.txt']);
  });

  it('after the write reports what is on the disk', async () => {
    const bridge = await openRenaming('gamma', slow(3));
    const caller = new AbortController();
    const asked = bridge.call('rename_symbol', wanted, { signal: caller.signal });
    await bridge.sent('textDocument/diagnostic', 3);
    caller.abort();
    const { data, isError } = await asked;
    expect(isError).toBe(false);
    expect(data).toMatchObject({ edit: { files: [{}, {}], settled: false } });
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\ngamma beta\n');
  });
});

describe('a rename that may be incomplete', () => {
  /** What stands there is no `alpha`. */
  const strange = { places: [...places, 'b.txt:1:0'] };
  const wanted = { ...alpha, new_name: 'gamma' };

  it('is previewed with its doubt, and applied only if the doubt is accepted', async () => {
    const bridge = await openRenaming('gamma', strange);
    const preview = await bridge.call('rename_symbol', wanted);
    const doubt = { kind: 'unexpected_edit', detail: expect.stringContaining('b.txt:2:1') };
    expect(preview.data).toMatchObject({ complete: false, doubts: [doubt], plan: { files: [{}, {}] } });
    const plan_id = idOf(preview);
    expectError(await bridge.call('rename_symbol', { ...wanted, dry_run: false }), 'refused', /b\.txt:2:1/);
    expectError(await bridge.call('rename_symbol', { plan_id }), 'refused', /allow_incomplete/);
    expectError(await bridge.call('apply_workspace_edit', { plan_id }), 'refused', /allow_incomplete/);
    expect(textOf(bridge, 'a.txt')).toBe(project['a.txt']);
    const done = await bridge.call('rename_symbol', { plan_id, allow_incomplete: true });
    expect(done.data).toMatchObject({ complete: false, edit: { files: [{}, {}] } });
    expect(textOf(bridge, 'a.txt')).toBe('function gamma\ngamma beta\n');
  });

  it('because the definition keeps its name says so', async () => {
    const bridge = await openRenaming('gamma', { places: places.slice(1) });
    const { data } = await bridge.call('rename_symbol', wanted);
    expect(JSON.stringify(data.doubts)).toContain('a.txt:1:10');
    expect(data).toMatchObject({ complete: false });
  });
});

describe('EDT-37 a new name', () => {
  it.each([
    ['empty', ''],
    ['a path', '../x'],
    ['with a space', 'a b'],
    ['with a line break', 'a\nb'],
    ['with a NUL', 'a\0b'],
    ['of 100 KB', 'a'.repeat(100_000)],
    ['that it has already', 'alpha'],
    ['that is no identifier', '1a'],
    ['with a dash', 'a-b'],
  ])('%s is refused before a server is asked', async (_which, new_name) => {
    const bridge = await openRenaming();
    const outcome = await bridge.call('rename_symbol', { ...alpha, new_name, dry_run: false });
    expectError(outcome, 'invalid_input');
    expect(outcome.text.length).toBeLessThan(500);
    expect(bridge.received().some(({ method }) => method === 'textDocument/rename')).toBe(false);
  });

  it.each([
    ['a.ts', 'class'],
    ['a.py', 'lambda'],
    ['a.go', 'func'],
    ['a.rs', 'match'],
  ])('that is a keyword of %s is refused: %s', async (file, new_name) => {
    const bridge = await openRenaming('gamma', {
      files: { [file]: 'function alpha\n' },
      servers: { fake: { extensions: ['ts', 'py', 'go', 'rs'] } },
    });
    const outcome = await bridge.call('rename_symbol', { symbol_name: 'alpha', file_path: file, new_name });
    expectError(outcome, 'invalid_input', /keyword/);
  });

  it('must be given', async () => {
    const bridge = await openRenaming();
    expectError(await bridge.call('rename_symbol', alpha), 'invalid_input', /new_name/);
  });
});

describe('the target of a rename', () => {
  it('is not guessed: a position next to the name is an error', async () => {
    const bridge = await openRenaming();
    const beside = { file_path: 'a.txt', line: 1, character: 3, symbol_name: 'alpha', new_name: 'gamma' };
    expectError(await bridge.call('rename_symbol', beside), 'invalid_input');
    const strict = { file_path: 'a.txt', line: 3, character: 1, new_name: 'gamma' };
    expectError(await bridge.call('rename_symbol_strict', strict), 'not_found');
  });

  it('may be given by the exact position alone', async () => {
    const bridge = await openRenaming();
    const at = { file_path: 'b.txt', line: 1, character: 6, new_name: 'gamma', dry_run: false };
    const { data } = await bridge.call('rename_symbol_strict', at);
    expect(data).toMatchObject({ complete: true, edit: { title: 'rename alpha to gamma' } });
  });
});

describe('mentions of the old name', () => {
  const files = {
    ...project,
    'notes.md': 'Call alpha.\n',
    '.env': 'alpha=1\n',
    '.github/workflows/ci.yml': 'run: alpha\n',
  };

  it('are listed, and left alone', async () => {
    const bridge = await openRenaming('gamma', { files });
    const { data } = await bridge.call('rename_symbol', { ...alpha, new_name: 'gamma', dry_run: false });
    expect(data).toMatchObject({ mention_counts: { other_language: 3 } });
    expect(textOf(bridge, 'notes.md')).toBe(files['notes.md']);
  });

  it('are renamed on request, but not in files with secrets or files that decide what is run', async () => {
    const bridge = await openRenaming('gamma', { files });
    const wanted = { ...alpha, new_name: 'gamma', also_mentions: true };
    const preview = await bridge.call('rename_symbol', wanted);
    expect(preview.data).toMatchObject({
      plan: { files: [{ file_path: 'a.txt' }, { file_path: 'b.txt' }, { file_path: 'notes.md', edits: 1 }] },
      mention_counts: { other_language: 2 },
    });
    await bridge.call('rename_symbol', { plan_id: idOf(preview) });
    expect(textOf(bridge, 'notes.md')).toBe('Call gamma.\n');
    expect(textOf(bridge, '.env')).toBe(files['.env']);
    expect(textOf(bridge, '.github/workflows/ci.yml')).toBe(files['.github/workflows/ci.yml']);
  });
});
