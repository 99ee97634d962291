import { describe, expect, it } from 'vitest';
import { type AskOptions, type Bridge, createBridge, LspanError } from '../../src/index.ts';
import { configOf, embed } from './embed.ts';
import { makeProject } from './make-project.ts';

const hanging = { rules: [{ on: { method: 'textDocument/definition' }, do: [{ never: true }] }] } as const;
const silent = { rules: [{ on: { method: 'initialize' }, do: [{ never: true }] }] } as const;

describe('a call', () => {
  it('resolves to text and data of the answer, typed by tool', async () => {
    const bridge = await embed();
    const { text, data, doubts } = await bridge.call('find_references', { symbol_name: 'alpha' });
    expect(data.references.map(({ file_path, line }) => `${file_path}:${line}`)).toEqual([
      'a.txt:1',
      'a.txt:2',
      'b.txt:1',
    ]);
    expect(text).toContain('3 references in 2 files');
    expect([data.complete, doubts]).toEqual([true, []]);
  });

  it('accepts a name that is known only at run time', async () => {
    const bridge = await embed();
    const [tool = ''] = bridge.tools.map(({ name }) => name);
    const { data } = await bridge.call(tool, { symbol_name: 'beta' });
    expect(data).toMatchObject({ definitions: [{ file_path: 'b.txt', line: 2 }] });
  });

  it('rejects with an error that has a code and a next step', async () => {
    const bridge = await embed();
    const failed = bridge.call('find_references', { symbol_name: 'gamma' });
    await expect(failed).rejects.toBeInstanceOf(LspanError);
    await expect(failed).rejects.toMatchObject({
      name: 'LspanError',
      code: 'not_found',
      nextStep: expect.any(String),
      retryable: false,
    });
    const name: string = 'find_everything';
    await expect(bridge.call(name, {})).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('rejects with `cancelled` as soon as its signal aborts, before or during the call', async () => {
    const bridge = await embed({ script: hanging });
    const ask = (options: AskOptions) =>
      bridge.call('find_definition', { file_path: 'b.txt', line: 1, character: 1 }, options);
    const cancelled = { code: 'cancelled', cause: 'enough' };
    await expect(ask({ signal: AbortSignal.abort('enough') })).rejects.toMatchObject(cancelled);
    const controller = new AbortController();
    const failed = expect(ask({ signal: controller.signal })).rejects.toMatchObject(cancelled);
    controller.abort('enough');
    await failed;
  });

  it('may share its signal with many others without a warning of Node', async () => {
    const bridge = await embed();
    const { signal } = new AbortController();
    const calls = Array.from({ length: 12 }, () => bridge.call('get_server_status', {}, { signal }));
    expect(await Promise.all(calls)).toHaveLength(12);
    const gone = new AbortController();
    const given = Array.from({ length: 12 }, () =>
      bridge.call('get_server_status', {}, { signal: gone.signal }),
    );
    gone.abort();
    const codes = await Promise.all(given.map((call) => call.catch((error: unknown) => Object(error).code)));
    expect(new Set(codes)).toEqual(new Set(['cancelled']));
  });

  it('reports what it waits for', async () => {
    const bridge = await embed({ script: silent });
    const controller = new AbortController();
    const told = new Promise<string>((onProgress) => {
      bridge
        .call('find_references', { symbol_name: 'alpha' }, { onProgress, signal: controller.signal })
        .catch(() => {});
    });
    expect(await told).toMatch(/fake/);
    controller.abort();
  });
});

describe('the tools of a bridge', () => {
  it('are those of lspan, with their schemas and effects', async () => {
    const { tools } = await embed();
    const references = tools.find(({ name }) => name === 'find_references');
    expect(references).toMatchObject({
      title: 'Find references',
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object' },
      effects: 'none',
    });
    expect(tools.some(({ effects }) => effects === 'files')).toBe(true);
  });

  it('are a copy, whose schemas the program may adapt to its model', async () => {
    const [first, second] = [await embed(), await embed()];
    Object.assign(first.tools[0]?.inputSchema ?? {}, { title: 'changed' });
    expect(second.tools[0]?.inputSchema).not.toHaveProperty('title');
  });

  it('exclude those that change files if the bridge is read-only', async () => {
    const bridge = await embed({ settings: { readOnly: true } });
    expect(bridge.tools.some(({ effects }) => effects === 'files')).toBe(false);
    const refused = bridge.call('create_file', { file_path: 'c.txt', content: '', dry_run: false });
    await expect(refused).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('problems', () => {
  it('are returned for a file, for an unsaved text, and for all files', async () => {
    const bridge = await embed({ files: { 'a.txt': 'ERROR_one\n', 'b.txt': 'fine\n' } });
    const problem = expect.objectContaining({ file: 'a.txt', line: 1, column: 1 });
    const found = { file: 'a.txt', complete: true, doubts: [] };
    expect(await bridge.diagnostics('a.txt')).toEqual({ ...found, diagnostics: [problem] });
    expect(await bridge.diagnostics('a.txt', { text: 'fine\n' })).toEqual({ ...found, diagnostics: [] });
    expect((await bridge.diagnostics()).files).toMatchObject({ 'a.txt': [problem] });
    await expect(bridge.diagnostics('../outside.txt')).rejects.toMatchObject({ code: 'outside_workspace' });
  });

  it('that may have changed are notified until the listener is removed', async () => {
    const bridge = await embed({ files: { 'a.txt': 'ERROR_one\n' }, script: { diagnostics: 'push' } });
    const told = new Promise<string | undefined>((resolve) => {
      const leave = bridge.onDiagnostics((file) => {
        leave();
        leave();
        resolve(file);
      });
    });
    await bridge.diagnostics('a.txt');
    expect(['a.txt', undefined]).toContain(await told);
  });
});

describe('an unsaved text of a program', () => {
  it('replaces the file in every question until it is released', async () => {
    const bridge = await embed();
    const lines = async () => {
      const { data } = await bridge.call('find_references', { symbol_name: 'alpha' });
      return data.references.map(({ file_path, line }) => `${file_path}:${line}`);
    };
    bridge.hold('b.txt', '\n\nalpha\n');
    expect(await lines()).toEqual(['a.txt:1', 'a.txt:2', 'b.txt:3']);
    bridge.hold('b.txt', null);
    expect(await lines()).toEqual(['a.txt:1', 'a.txt:2', 'b.txt:1']);
    expect(() => bridge.hold('../outside.txt', '')).toThrow(LspanError);
  });
});

describe('the state of the servers', () => {
  it('is summarised per server', async () => {
    const bridge = await embed();
    expect(await bridge.status()).toMatchObject([{ serverId: 'fake', state: 'idle' }]);
    await bridge.call('find_references', { symbol_name: 'alpha' });
    expect(await bridge.status()).toMatchObject([{ serverId: 'fake', state: 'ok' }]);
  });
});

describe('the end of a bridge', () => {
  it('happens once, and cancels calls in progress', async () => {
    const bridge = await embed({ script: hanging });
    const call = bridge.call('find_definition', { file_path: 'b.txt', line: 1, character: 1 });
    const given = expect(call).rejects.toMatchObject({ code: 'cancelled', message: /closed/ });
    const check = expect(bridge.diagnostics('a.txt')).rejects.toMatchObject({ code: 'cancelled' });
    await Promise.all([bridge.close(), bridge.close(), given, check]);
    await bridge.close();
  });

  it('makes later calls reject', async () => {
    const bridge = await embed();
    await bridge.close();
    const refused = { code: 'refused', message: 'The bridge is closed.' };
    await expect(bridge.call('get_server_status', {})).rejects.toMatchObject(refused);
    await expect(bridge.diagnostics()).rejects.toMatchObject(refused);
    await expect(bridge.status()).rejects.toMatchObject(refused);
    expect(() => bridge.hold('a.txt', '')).toThrow(expect.objectContaining(refused));
    expect(() => bridge.onDiagnostics(() => {})).toThrow(expect.objectContaining(refused));
  });

  it('comes with the end of an `await using` block', async () => {
    const workspace = makeProject({ 'a.txt': 'function alpha\n' });
    const config = configOf();
    const use = async (): Promise<Bridge> => {
      await using bridge = await createBridge({ workspace, config });
      await bridge.call('find_references', { symbol_name: 'alpha' });
      return bridge;
    };
    const bridge = await use();
    await expect(bridge.status()).rejects.toMatchObject({ code: 'refused' });
  });
});

describe('several bridges in one process', () => {
  it('answer each about its own workspace, and closing one does not affect the others', async () => {
    const first = await embed();
    const second = await embed({ files: { 'c.txt': 'function alpha\n' } });
    const third = await createBridge({ workspace: first.root, config: configOf() });
    const files = async (bridge: Bridge) => {
      const { data } = await bridge.call('find_references', { symbol_name: 'alpha' });
      return [...new Set(data.references.map(({ file_path }) => file_path))];
    };
    expect(await Promise.all([first, second, third].map(files))).toEqual([
      ['a.txt', 'b.txt'],
      ['c.txt'],
      ['a.txt', 'b.txt'],
    ]);
    await third.close();
    expect(await Promise.all([first, second].map(files))).toEqual([['a.txt', 'b.txt'], ['c.txt']]);
  });
});
