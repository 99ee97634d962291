import { describe, expect, it, vi } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const on = (method: string, ...actions: Action[]): FakeScript => ({
  rules: [{ on: { method }, do: actions }],
});
const definition = 'textDocument/definition';
const crash: Action = { exit: { code: 5 } };
const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha ERROR_b\n', 'c.md': 'function alphabet\n' };
/** Long enough for a healthy answer on a busy machine, short enough to be waited for. */
const deadline = 4_000;
const missing: TestServer = { command: ['/nowhere/to/be/found'], extensions: ['md'] };
const open = (servers: Record<string, TestServer>) => openTestBridge({ files, deadline, servers });

/** Waits until the servers are up, so that the deadline is not spent on their start. */
async function warm(bridge: TestBridge): Promise<void> {
  for (;;) {
    const { data } = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
    if (data.complete === true) return;
  }
}

/** The same where one of them would not answer: the question that starts them is given up once they are up. */
async function startBoth(bridge: TestBridge, tool: string, input: object): Promise<void> {
  const leaving = new AbortController();
  const asked = bridge.call(tool, input, { signal: leaving.signal });
  await bridge.sent('initialized', 2);
  leaving.abort();
  await asked;
}

describe('two servers for the same files', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
  const own = { range, severity: 2, message: 'Only the second server sees this.', code: 'own' };
  const same = {
    range: { start: { line: 0, character: 6 }, end: { line: 0, character: 13 } },
    severity: 1,
    code: 'ERROR_b',
    source: 'fake',
    message: 'The word ERROR_b is an error.',
  };
  const problems = (bridge: TestBridge, file_path = 'b.txt') => bridge.call('get_diagnostics', { file_path });

  it('tell their problems together, and none twice', async () => {
    const second = on('textDocument/diagnostic', { replyValue: { kind: 'full', items: [same, own] } });
    const bridge = await open({ one: {}, two: { lives: [second] } });
    await warm(bridge);
    expect((await problems(bridge)).data).toMatchObject({
      complete: true,
      total: 2,
      diagnostics: [{ code: 'own' }, { code: 'ERROR_b' }],
    });
  });

  it('one of which dies: the other ones problems come with a doubt', async () => {
    const bridge = await open({ one: {}, two: { lives: [on('textDocument/diagnostic', crash)] } });
    const { data, isError } = await problems(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, diagnostics: [{ code: 'ERROR_b' }] });
    expect(data.doubts).toContainEqual({
      kind: 'server_unavailable',
      server: 'two',
      detail: expect.stringMatching(/two exited unexpectedly with code 5/),
    });
  });

  it('one of which dies: that there are no problems is not said', async () => {
    const bridge = await open({ one: {}, two: { lives: [on('textDocument/diagnostic', crash)] } });
    const { data, text } = await problems(bridge, 'a.txt');
    expect(data).toMatchObject({ complete: false, files: [{ state: 'pending' }] });
    expect(text).not.toContain('No problems in');
  });

  it('one of which is silent: the problems of the other come with a doubt', async () => {
    const silent = on('textDocument/diagnostic', { never: true });
    const bridge = await open({ one: {}, two: { lives: [silent] } });
    await startBoth(bridge, 'get_diagnostics', { file_path: 'a.txt' });
    const { data, isError } = await problems(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, diagnostics: [{ code: 'ERROR_b' }] });
    expect(data.doubts).toContainEqual(expect.objectContaining({ kind: 'timed_out', server: 'two' }));
  });

  it('one of which waits for a network: the answer of the other does not wait for the deadline', async () => {
    const silent = on('workspace/symbol', { never: true });
    const servers = { one: {}, fetching: { lives: [silent] } };
    // A test takes less: it passes only if the answer comes before.
    const bridge = await openTestBridge({ files, deadline: 600_000, servers });
    const { data } = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expect(data).toMatchObject({ complete: false, symbols: [{ name: 'alpha' }, { name: 'alphabet' }] });
    expect(data.doubts).toContainEqual(expect.objectContaining({ kind: 'timed_out', server: 'fetching' }));
  });

  it('the first of which dies: the second answers, and that is a doubt', async () => {
    const bridge = await open({ one: { lives: [on(definition, crash)] }, two: {} });
    await warm(bridge);
    const { data, isError } = await ask(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      doubts: [{ kind: 'server_unavailable', server: 'one' }],
      definitions: [{ file_path: 'a.txt' }],
    });
  });

  it('the first of which knows nothing: the second answers', async () => {
    const bridge = await open({ one: { lives: [on(definition, { emptyResult: true })] }, two: {} });
    await warm(bridge);
    expect((await ask(bridge)).data).toMatchObject({ definitions: [{ file_path: 'a.txt' }] });
  });

  it('the first of which cannot be asked that: the second answers, and that is no doubt', async () => {
    const capabilities = { definitionProvider: null, workspaceSymbolProvider: null };
    const bridge = await open({ one: { lives: [{ capabilities }] }, two: {} });
    await warm(bridge);
    expect((await ask(bridge)).data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt' }] });
    const found = await bridge.call('search_workspace_symbols', { query: 'alpha' });
    expect(found.data).toMatchObject({ complete: true, symbols: [{ name: 'alpha' }, { name: 'alphabet' }] });
  });

  it('both of which die: that is an error, and names both', async () => {
    const bridge = await open({
      one: { lives: [on(definition, crash), on(definition, crash), {}] },
      two: { lives: [on(definition, crash), on(definition, crash), {}] },
    });
    await warm(bridge);
    expectError(await ask(bridge), 'server_crashed', /one exited unexpectedly/, /two exited unexpectedly/);
    expect((await ask(bridge)).data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt' }] });
  });

  it('the first of which is silent: the second still answers, and that is a doubt', async () => {
    const once: FakeScript = { rules: [{ on: { method: definition, nth: 1 }, do: [{ never: true }] }] };
    const bridge = await open({ one: { lives: [once] }, two: {} });
    await warm(bridge);
    const { data, isError } = await ask(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      doubts: [{ kind: 'timed_out', server: 'one' }],
      definitions: [{ file_path: 'a.txt' }],
    });
    expect((await ask(bridge)).data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt' }] });
  });

  it('both of which are silent: the call times out, and the bridge lives on', async () => {
    const once: FakeScript = { rules: [{ on: { method: definition, nth: 1 }, do: [{ never: true }] }] };
    const bridge = await open({ one: { lives: [once] }, two: { lives: [once] } });
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out');
    expect((await ask(bridge)).data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt' }] });
  });
});

describe('a search over the languages of the workspace', () => {
  const search = (bridge: TestBridge) => bridge.call('search_workspace_symbols', { query: 'alpha' });

  it('joins what each server knows', async () => {
    const bridge = await open({ one: {}, two: { extensions: ['md'] } });
    while ((await search(bridge)).data.complete !== true);
    expect((await search(bridge)).data).toMatchObject({ symbols: [{ name: 'alpha' }, { name: 'alphabet' }] });
  });

  it('tells as a doubt that a server is not installed, and how to install it', async () => {
    const bridge = await open({ one: {}, two: missing });
    const { data, isError, text } = await search(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'server_unavailable', server: 'two' }] });
    expect(data.symbols).toMatchObject([{ name: 'alpha' }]);
    expect(text).toMatch(/two/);
  });

  it('tells as a doubt that a server is silent', async () => {
    const silent = on('workspace/symbol', { never: true });
    const bridge = await open({ one: {}, two: { lives: [silent], extensions: ['md'] } });
    await startBoth(bridge, 'search_workspace_symbols', { query: 'alpha' });
    const { data, isError } = await search(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'timed_out', server: 'two' }] });
    expect(data.symbols).toMatchObject([{ name: 'alpha' }]);
  });

  it('where no server is installed is an error that says so', async () => {
    const bridge = await openTestBridge({ files: { 'c.md': 'x\n' }, servers: { two: missing } });
    expectError(await search(bridge), 'not_installed', /two/);
  });

  it('where no file has a server is an error, not "nothing matches"', async () => {
    const bridge = await openTestBridge({ files: { 'c.unknown': 'x\n' }, servers: { one: {} } });
    expectError(await search(bridge), 'not_supported');
  });
});
