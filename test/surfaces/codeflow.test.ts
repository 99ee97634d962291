import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/surfaces/catalogue.ts';
import { openTestBridge, type TestSetting } from '../test-bridge.ts';

const open = (setting: TestSetting = {}) => openTestBridge({ ...setting, surface: 'codeflow' });

/** As the seed names them, in its categories. */
const named: Readonly<Record<string, readonly string[]>> = {
  navigation: ['find_definition', 'find_references', 'find_implementations', 'prepare_call_hierarchy'],
  symbols: ['get_document_symbols', 'search_workspace_symbols', 'rename_symbol', 'rename_symbol_strict'],
  intelligence: ['get_hover', 'get_completions', 'get_signature_help', 'get_inlay_hints'],
  quality: ['get_diagnostics', 'get_code_actions', 'format_document'],
  files: ['create_file', 'delete_file', 'rename_file', 'apply_workspace_edit'],
  batch: ['batch_execute'],
};

const surface = catalogue.find(({ name }) => name === 'codeflow');
const toolNamed = (name: string) => surface?.tools.find((tool) => tool.name === name);

describe('the list of codeflow', () => {
  it('has the names of the original in its categories', () => {
    const present = Object.fromEntries(
      Object.keys(named).map((toolset) => [
        toolset,
        surface?.tools.filter((tool) => tool.toolset === toolset).map(({ name }) => name),
      ]),
    );
    expect(present).toEqual(named);
  });

  it('requires a file and a name, and accepts a position', () => {
    expect(toolNamed('find_definition')?.inputSchema).toMatchObject({
      required: ['file_path', 'symbol_name'],
      properties: {
        line: { description: 'Line number (1-indexed, optional)' },
        character: { description: 'Character position (0-indexed, optional)' },
      },
    });
  });

  it('marks code actions as read-only, since no field makes them write', () => {
    expect(toolNamed('get_code_actions')?.inputSchema.properties).not.toHaveProperty('dry_run');
    expect(toolNamed('get_code_actions')?.annotations.readOnlyHint).toBe(true);
  });
});

describe('positions', () => {
  it('count lines from 1 and characters from 0, in and out, and the text is the indented data', async () => {
    const bridge = await open();
    const args = { file_path: 'a.txt', symbol_name: 'alpha', line: 2, character: 0 };
    const { text, data, isError } = await bridge.call('find_definition', args);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      definitions: [{ file_path: 'a.txt', line: 1, character: 9, end_character: 14 }],
    });
    expect(text).toBe(JSON.stringify(data, null, 2));
  });

  it('in answers can be used in the next question', async () => {
    const bridge = await open();
    const first = await bridge.call('find_references', { file_path: 'b.txt', symbol_name: 'alpha' });
    const { references } = JSON.parse(first.text);
    expect(references.length).toBeGreaterThan(1);
    for (const { file_path, line, character } of references) {
      const args = { file_path, symbol_name: 'alpha', line, character };
      expect((await bridge.call('find_definition', args)).data).toMatchObject({
        complete: true,
        definitions: [{ file_path: 'a.txt', line: 1, character: 9 }],
      });
    }
  });
});

it('a list continues by its cursor, alone or with the same arguments', async () => {
  const bridge = await open({ files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n'.repeat(50) } });
  const asked = { file_path: 'a.txt', symbol_name: 'alpha', line: 1, character: 9 };
  const { data } = await bridge.call('find_references', { ...asked, max_tokens: 500 });
  const cursor = data.next_cursor;
  expect(cursor).toEqual(expect.any(String));
  const alone = await bridge.call('find_references', { cursor, max_tokens: 500 });
  expect(alone.data).toMatchObject({ total: 51, next_cursor: expect.any(String) });
  const beside = await bridge.call('find_references', { ...asked, cursor, max_tokens: 500 });
  expect(beside.text).toBe(alone.text);
});

describe('errors', () => {
  it.each([
    ['find_definition', { file_path: 'a.txt' }, -32602],
    ['find_definition', { file_path: 'a.txt', symbol_name: 'alpha', colour: 1 }, -32602],
    ['find_definition', { file_path: '../x.txt', symbol_name: 'alpha' }, -32602],
    ['find_definition', { file_path: 'missing.txt', symbol_name: 'alpha' }, -32803],
  ])('%s with %j becomes an error of the protocol', async (tool, args, code) => {
    const { text, data, isError } = await (await open()).call(tool, args);
    expect(isError).toBe(true);
    expect(text).toMatch(new RegExp(`^LSP Error \\(${code}\\): \\S`));
    expect(data).toHaveProperty('error.message');
  });
});

describe('an error of the language server', () => {
  it('keeps its own code', async () => {
    const hover = {
      on: { method: 'textDocument/hover' },
      do: [{ replyError: { code: -32099, message: 'no' } }],
    };
    const bridge = await open({ servers: { fake: { lives: [{ rules: [hover] }] } } });
    const { text, isError } = await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 9 });
    expect(isError).toBe(true);
    expect(text).toMatch(/^LSP Error \(-32099\): fake answered textDocument\/hover with error -32099: no\./);
  });
});

describe('the candidates and next step of an error', () => {
  it('can be given to the tool that failed: candidates have places in the units of this surface', async () => {
    const bridge = await open({ files: { 'a.txt': 'function alpha\n', 'b.txt': 'alpha  =  used\n' } });
    const asked = { file_path: 'b.txt', new_name: 'gamma', dry_run: true, check: false };
    const { text, data } = await bridge.call('rename_symbol_strict', { ...asked, line: 1, character: 6 });
    const candidates = data.error && Object(data.error).candidates;
    expect(candidates[0]).toMatchObject({ file_path: 'b.txt', symbol_name: 'alpha', line: 1 });
    expect(text).toContain(`\n  ${JSON.stringify(candidates[0])}\n`);
    expect(text).toContain(
      '\nNext: Call again with the `file_path`, `line` and `character` of the right one',
    );
    const { line, character } = candidates[0];
    const chosen = await bridge.call('rename_symbol_strict', { ...asked, line, character });
    expect(chosen.data).toHaveProperty('plan.title', 'rename alpha to gamma');
  });

  it('name nothing that this surface does not have', async () => {
    const bridge = await open();
    const asked = { file_path: 'a.txt', symbol_name: 'nowhere', line: 1 };
    const { text } = await bridge.call('find_definition', asked);
    expect(text).toContain('Next: Search by search_workspace_symbols, or see get_document_symbols.');
  });

  it('line 0 is read as counted from 0, with the characters unchanged', async () => {
    const bridge = await open({ files: { 'a.txt': 'alpha a function b\n' } });
    const { text } = await bridge.call('get_hover', { file_path: 'a.txt', line: 0, character: 6 });
    expect(text).toContain('"a" at 1:7');
    const at = { file_path: 'a.txt', line: 0, character: 0, new_name: 'beta' };
    expect((await bridge.call('rename_symbol_strict', at)).isError).toBe(true);
  });
});

describe('tools that change files', () => {
  it('do so at once, and report what was changed', async () => {
    const bridge = await open();
    const made = await bridge.call('create_file', { file_path: 'new/c.txt', content: 'gamma\n' });
    expect(made.data).toMatchObject({ edit: { files: [{ file_path: 'new/c.txt', change: 'create' }] } });
    expect(readFileSync(path.join(bridge.root, 'new/c.txt'), 'utf8')).toBe('gamma\n');
  });

  it('only preview with dry_run, and the plan can be applied', async () => {
    const bridge = await open();
    const preview = await bridge.call('create_file', { file_path: 'c.txt', dry_run: true });
    expect(existsSync(path.join(bridge.root, 'c.txt'))).toBe(false);
    const { plan } = JSON.parse(preview.text);
    const { data } = await bridge.call('apply_workspace_edit', { plan_id: plan.plan_id });
    expect(data).toMatchObject({ applied: true, edit: { edit_id: expect.any(String) } });
    expect(existsSync(path.join(bridge.root, 'c.txt'))).toBe(true);
  });

  it('accept an edit of the protocol in its own units', async () => {
    const bridge = await open();
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 8 } };
    const uri = `file://${bridge.root}/a.txt`;
    const edit = { changes: { [uri]: [{ range, newText: 'FUNCTION' }] } };
    expect((await bridge.call('apply_workspace_edit', { edit })).data).toMatchObject({ applied: true });
    expect(readFileSync(path.join(bridge.root, 'a.txt'), 'utf8')).toBe('FUNCTION alpha\nalpha beta\n');
  });

  it('say of an edit that failed that it was not applied, and why', async () => {
    const bridge = await open();
    const edit = { documentChanges: [{ kind: 'delete', uri: `file://${bridge.root}/missing.txt` }] };
    const { text, data, isError } = await bridge.call('apply_workspace_edit', { edit });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ applied: false, failureReason: expect.stringContaining('missing.txt') });
    expect(text).toBe(JSON.stringify(data, null, 2));
  });

  it('refuse to overwrite what exists', async () => {
    const bridge = await open({ files: { 'a.txt': 'b.txt is here\n' } });
    const over = await bridge.call('create_file', { file_path: 'a.txt', content: '' });
    expect(over.text).toMatch(/^LSP Error \(-32803\)/);
    expect(readFileSync(path.join(bridge.root, 'a.txt'), 'utf8')).toBe('b.txt is here\n');
  });

  it('are refused in read-only mode, whatever their names', async () => {
    const bridge = await open({ config: { readOnly: true } });
    expect(await bridge.call('rename_symbol', {})).toMatchObject({ isError: true });
    expect((await bridge.call('get_code_actions', { file_path: 'a.txt' })).isError).toBe(false);
  });
});

it('a budget holds for the indented text', async () => {
  const bridge = await open({ files: { 'a.txt': `function alpha\n${'alpha alpha alpha\n'.repeat(300)}` } });
  const args = { file_path: 'a.txt', symbol_name: 'alpha', max_tokens: 1_000 };
  const { text, isError } = await bridge.call('find_references', args);
  expect(isError).toBe(false);
  expect(Buffer.byteLength(text) / 3.5).toBeLessThanOrEqual(1_000);
  expect(JSON.parse(text).total).toBe(901);
});
