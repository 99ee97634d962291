import { describe, expect, it } from 'vitest';
import { ask, expectError, openTestBridge, question } from '../../test-bridge.ts';
import { idOf, onDisk, openRenaming, places, textOf } from '../rename/renaming-bridge.ts';

const read = { tool: question.tool, args: question.input };
const lost = { tool: 'find_definition', args: { symbol_name: 'nowhere' } };
const edit = (file_path: string, old_text: string, new_text: string) => ({
  tool: 'apply_workspace_edit',
  args: { edits: [{ file_path, old_text, new_text }] },
});
const create = (file_path: string, content: string) => ({
  tool: 'create_file',
  args: { file_path, content },
});

describe('an invalid batch', () => {
  it('does nothing, and reports everything that is wrong with any operation at once', async () => {
    const bridge = await openTestBridge();
    const before = onDisk(bridge.root);
    const operations = [
      { id: 'good', ...create('c.txt', 'x\n') },
      { id: 'unknown', tool: 'fly' },
      { id: 'nested', tool: 'batch_execute', args: { operations: [read] } },
      { id: 'field', tool: 'get_hover', args: { colour: 'red' } },
      { id: 'other', tool: 'create_file', args: { file_path: 'd.txt', content: '', dry_run: true } },
      { id: 'good', ...read },
    ];
    const outcome = await bridge.call('batch_execute', { operations, dry_run: false });
    expectError(
      outcome,
      'invalid_input',
      /Nothing was done\./,
      /Several operations have the id "good"/,
      /"unknown": There is no tool "fly"/,
      /"nested": A batch cannot contain a batch/,
      /"field": get_hover: Unknown field: "colour"/,
      /"other": Its `dry_run` is true, but the batch has false/,
      /The tools are: find_definition, .*stop_server\./,
    );
    expect(onDisk(bridge.root)).toEqual(before);
    expect(bridge.pids()).toEqual([]);
  });

  it('RES: has 1 to 50 operations', async () => {
    const bridge = await openTestBridge();
    const status = { tool: 'get_server_status' };
    const many = (count: number) =>
      bridge.call('batch_execute', { operations: Array.from({ length: count }, () => status) });
    expectError(await many(0), 'invalid_input', /operations/);
    expectError(await many(51), 'invalid_input', /operations/);
    const { data } = await many(50);
    expect(data).toMatchObject({ done: 50, failed: 0, skipped: 0, results: { length: 50 } });
  });

  it('is refused if it is both atomic and parallel and changes files, but not if it only reads', async () => {
    const bridge = await openTestBridge();
    const both = { atomic: true, parallel: true };
    const writing = await bridge.call('batch_execute', { operations: [create('c.txt', '')], ...both });
    expectError(writing, 'invalid_input', /both `atomic` and `parallel`/);
    const reading = await bridge.call('batch_execute', { operations: [read, read], ...both });
    expect(reading.data).toMatchObject({ done: 2 });
  });

  it('EDT: writes nothing if lspan is read-only, but still reads', async () => {
    const bridge = await openTestBridge({ config: { readOnly: true } });
    const operations = [read, { id: 'writer', ...create('c.txt', '') }];
    const refused = await bridge.call('batch_execute', { operations });
    expectError(refused, 'refused', /read-only/, /"writer" \(create_file\)/);
    const { data } = await bridge.call('batch_execute', { operations: [read] });
    expect(data).toMatchObject({ done: 1, results: [{ id: '1', ok: true, data: question.answer }] });
  });
});

describe('the results of a batch', () => {
  it('are in the order of the operations, by id, with text and data or the error', async () => {
    const bridge = await openTestBridge();
    const operations = [{ id: 'where', ...read }, lost, read];
    const { data, text } = await bridge.call('batch_execute', { operations, stop_on_error: false });
    expect(data).toMatchObject({
      complete: true,
      done: 2,
      failed: 1,
      skipped: 0,
      results: [
        { id: 'where', tool: 'find_definition', ok: true, data: question.answer },
        { id: '2', ok: false, error: { code: 'not_found' } },
        { id: '3', ok: true },
      ],
    });
    expect(text).toContain('3 operations: 2 done, 1 failed, 0 skipped.\n"where" find_definition: ok\n  ');
    expect(text).toContain('\n"2" find_definition: failed\n  not_found: ');
  });

  it('say what was skipped after a failed operation', async () => {
    const bridge = await openTestBridge();
    const operations = [read, { id: 'bad', ...lost }, create('c.txt', 'x\n'), read];
    const before = onDisk(bridge.root);
    const { data, text } = await bridge.call('batch_execute', { operations, dry_run: false });
    expect(data).toMatchObject({
      done: 1,
      failed: 1,
      skipped: 2,
      results: [{ ok: true }, { ok: false }, { ok: false, skipped: '"bad" failed' }, { ok: false }],
    });
    expect(text).toContain('"3" create_file: skipped, since "bad" failed');
    expect(onDisk(bridge.root)).toEqual(before);
  });

  it('are the same in parallel as in sequence, whatever fails', async () => {
    const bridge = await openTestBridge();
    const operations = [read, read, lost, read, create('c.txt', 'function gamma\n'), read, lost, read];
    for (const stop_on_error of [true, false]) {
      const ask = (parallel: boolean) =>
        bridge.call('batch_execute', { operations, parallel, stop_on_error, dry_run: true, check: false });
      const plain = (told: string) => told.replaceAll(/p-\w{10}/g, '<plan>');
      expect(plain((await ask(true)).text)).toBe(plain((await ask(false)).text));
    }
  });

  it('in parallel, readers run together, and a writer waits for those before it and delays those after it', async () => {
    const bridge = await openTestBridge();
    const hover = { tool: 'get_hover', args: question.input };
    const other = { tool: 'get_hover', args: { file_path: 'a.txt', line: 1, character: 10 } };
    const operations = [hover, other, edit('b.txt', 'alpha is', 'alpha was'), hover];
    const input = { operations, parallel: true, dry_run: false, check: false };
    const { data } = await bridge.call('batch_execute', input);
    expect(data).toMatchObject({ done: 4, results: [{}, {}, { data: { edit: {} } }, {}] });
    expect(textOf(bridge, 'b.txt')).toBe('alpha was used\nfunction beta\n');
    const texts = bridge
      .received()
      .filter(({ method }) => method === 'textDocument/hover' || method === 'textDocument/didChange')
      .map(({ method }) => method);
    expect(texts).toEqual([
      'textDocument/hover',
      'textDocument/hover',
      'textDocument/didChange',
      'textDocument/hover',
    ]);
  });

  it('share the budget: small answers are whole, and large ones say what was left out', async () => {
    const long = `${'alpha beta\n'.repeat(300)}`;
    const bridge = await openTestBridge({ files: { 'a.txt': 'function alpha\n', 'b.txt': long } });
    const all = { tool: 'find_references', args: { file_path: 'a.txt', symbol_name: 'alpha' } };
    const operations = [
      { id: 'large', ...all },
      { id: 'small', tool: 'get_hover', args: all.args },
    ];
    for (const shown of ['text', 'data'] as const) {
      const input = { operations, max_tokens: 900 };
      const { text, data } = await bridge.call('batch_execute', input, { shown });
      const told = shown === 'text' ? text : JSON.stringify(data);
      expect(Buffer.byteLength(told) / 3.5).toBeLessThanOrEqual(900);
      expect(Buffer.byteLength(told) / 3.5).toBeGreaterThan(600);
      const cursor = /\n {2}… 1-\d+ of 301; next: cursor "([\w-]+)"/.exec(text)?.[1];
      const next = await bridge.call('find_references', { cursor });
      expect(next.data).toMatchObject({ total: 301 });
      expect(text).toContain('Shortened to fit: "large". Call such a tool alone');
      expect(data).toMatchObject({ cut: ['large'], results: [{ data: { total: 301 } }, { ok: true }] });
    }
  });

  it('RES: keep to the budget however many there are: the first are shown, and others are listed as left out', async () => {
    const files = { 'a.txt': 'function alpha\n'.repeat(60) };
    const bridge = await openTestBridge({ files });
    const outline = { tool: 'get_document_symbols', args: { file_path: 'a.txt' } };
    const operations = Array.from({ length: 50 }, () => outline);
    for (const shown of ['text', 'data'] as const) {
      const input = { operations, max_tokens: 2_500, parallel: true };
      const { text, data } = await bridge.call('batch_execute', input, { shown });
      const told = shown === 'text' ? text : JSON.stringify(data);
      expect(Buffer.byteLength(told) / 3.5).toBeLessThanOrEqual(2_500);
      expect(data).toMatchObject({ done: 50, cut: expect.arrayContaining(['1', '50']) });
      expect(text).toMatch(/"1" get_document_symbols: ok\n {2}a\.txt/);
      expect(text).toContain('"50" get_document_symbols: ok\n  Omitted: the answer is too long.');
    }
  });

  it('say at the top that one of them may be incomplete', async () => {
    const bridge = await openRenaming('gamma', { places: places.slice(1) });
    const rename = {
      tool: 'rename_symbol',
      args: { file_path: 'a.txt', symbol_name: 'alpha', new_name: 'gamma' },
    };
    const { data } = await bridge.call('batch_execute', { operations: [rename] });
    expect(data).toMatchObject({ complete: false, results: [{ data: { complete: false } }] });
    expect(data.doubts).not.toEqual([]);
  });
});

describe('a batch that is not atomic', () => {
  it('EDT-35: previews each operation on the disk, says so, and each plan can be applied', async () => {
    const bridge = await openTestBridge();
    const before = onDisk(bridge.root);
    const operations = [edit('a.txt', 'beta', 'gamma'), edit('a.txt', 'beta', 'delta')];
    const outcome = await bridge.call('batch_execute', { operations });
    expect(outcome.text).toContain('Each change is previewed without the earlier ones');
    expect(onDisk(bridge.root)).toEqual(before);
    const done = await bridge.call('apply_workspace_edit', { plan_id: idOf(outcome) });
    expect(done.isError).toBe(false);
    expect(textOf(bridge, 'a.txt')).toContain('alpha gamma');
  });

  it('applies each as an edit of its own, of which a later one can fail', async () => {
    const bridge = await openTestBridge();
    const operations = [
      edit('a.txt', 'beta', 'gamma'),
      edit('a.txt', 'beta', 'delta'),
      create('c.txt', 'x\n'),
    ];
    const input = { operations, dry_run: false, stop_on_error: false, check: false };
    const { data } = await bridge.call('batch_execute', input);
    expect(data).toMatchObject({
      done: 2,
      failed: 1,
      results: [{ data: { edit: { edit_id: expect.any(String) } } }, { error: { code: 'not_found' } }, {}],
    });
    expect(textOf(bridge, 'a.txt')).toBe('function alpha\nalpha gamma\n');
    expect(textOf(bridge, 'c.txt')).toBe('x\n');
    await bridge.call('undo_edit', {});
    expect(textOf(bridge, 'a.txt')).toBe('function alpha\nalpha gamma\n');
  });
});

describe('a batch', () => {
  it('that takes too long skips what did not begin, and reports what was done', async () => {
    const never = { on: { method: 'textDocument/hover' }, do: [{ never: true as const }] };
    const bridge = await openTestBridge({
      servers: { fake: { lives: [{ rules: [never] }] } },
      deadline: 3_000,
    });
    // So that the time is not spent on the start of the server.
    while ((await ask(bridge)).isError);
    const hover = { tool: 'get_hover', args: question.input };
    const operations = [create('c.txt', 'x\n'), hover, read];
    const { data } = await bridge.call('batch_execute', { operations, dry_run: false, check: false });
    expect(data).toMatchObject({
      results: [
        { ok: true, data: { edit: {} } },
        { error: { code: 'timed_out' } },
        { skipped: '"2" failed' },
      ],
    });
    expect(textOf(bridge, 'c.txt')).toBe('x\n');
  });

  it('that is cancelled by its caller leaves the rest undone, and reports name the operation', async () => {
    const never = { on: { method: 'textDocument/hover' }, do: [{ never: true as const }] };
    const bridge = await openTestBridge({ servers: { fake: { lives: [{ rules: [never] }] } } });
    const before = onDisk(bridge.root);
    const ending = new AbortController();
    const reports: string[] = [];
    const operations = [{ id: 'h', tool: 'get_hover', args: question.input }, create('c.txt', 'x\n')];
    const input = { operations, dry_run: false, stop_on_error: false };
    const options = { signal: ending.signal, report: (told: string) => reports.push(told) };
    const asked = bridge.call('batch_execute', input, options);
    await bridge.sent('textDocument/hover');
    ending.abort();
    expect((await asked).data).toMatchObject({
      results: [{ error: { code: 'cancelled' } }, { skipped: 'the batch ran out of time' }],
    });
    expect(reports[0]).toBe('operation "h", 1 of 2: get_hover');
    expect(onDisk(bridge.root)).toEqual(before);
    expect(textOf(bridge, 'a.txt')).toBe('function alpha\nalpha beta\n');
  });
});
