import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Action, FakeScript, Rule } from '../fake-server/script.ts';
import { openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const files = { 'a.txt': 'ERROR_a here\n', 'b.txt': 'WARN_b here\n', 'clean.txt': 'nothing here\n' };
const method = 'workspace/diagnostic';
const diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: true };
const whole = (...rules: Rule[]): FakeScript => ({ capabilities: { diagnosticProvider }, rules });
const open = (servers: Record<string, TestServer>, deadline = 30_000) =>
  openTestBridge({ files, deadline, servers });
const problems = (bridge: TestBridge) => bridge.call('get_diagnostics', {});
const asked = (bridge: TestBridge, name = method) =>
  bridge.received('ready').filter((one) => one.method === name);
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
const item = (code: string) => ({ range, severity: 1, code, message: `${code}.` });
const report = (file: string, ...codes: string[]) => ({
  uri: `file://<root>/${file}`,
  version: null,
  kind: 'full',
  items: codes.map(item),
});
const all = {
  complete: true,
  doubts: [],
  scope: 'workspace',
  checked: 3,
  files: [
    { file_path: 'a.txt', state: 'fresh', problems: 1 },
    { file_path: 'b.txt', state: 'fresh', problems: 1 },
  ],
  diagnostics: [
    { file_path: 'a.txt', code: 'ERROR_a' },
    { file_path: 'b.txt', code: 'WARN_b' },
  ],
};

describe('the problems of the workspace from a server that checks all of it', () => {
  it('are all of them at the first call, and no file is opened for it', async () => {
    const bridge = await open({ ready: { lives: [whole()] } });
    expect((await problems(bridge)).data).toMatchObject(all);
    expect(asked(bridge, 'textDocument/didOpen')).toEqual([]);
  });

  it('are not doubted because of documents beside the code whose server is missing', async () => {
    const missing: TestServer = { command: ['/nowhere'], extensions: ['md'] };
    const bridge = await open({ ready: { lives: [whole()] }, missing });
    bridge.write('guide.md', 'text\n');
    expect((await problems(bridge)).data).toMatchObject(all);
  });

  it('are doubted where there is nothing but such documents', async () => {
    const missing: TestServer = { command: ['/nowhere'], extensions: ['md'] };
    const bridge = await openTestBridge({ files: { 'guide.md': 'text\n' }, servers: { missing } });
    expect((await problems(bridge)).data).toMatchObject({
      complete: false,
      checked: 0,
      doubts: [{ kind: 'server_unavailable', server: 'missing' }],
    });
  });

  it('are asked for once the server has registered that it can', async () => {
    const registrations = [
      { id: 'd', method: 'textDocument/diagnostic', registerOptions: diagnosticProvider },
    ];
    const register: Rule = {
      on: { method: 'initialized' },
      do: [
        { request: { method: 'client/registerCapability', params: { registrations } } },
        { notify: { method: 'window/logMessage', params: { type: 3, message: 'Loaded.' } } },
      ],
    };
    const bridge = await open({ logging: { lives: [{ diagnostics: 'none', rules: [register] }] } });
    expect((await problems(bridge)).data).toMatchObject(all);
  });

  it('are those of the present texts when they have changed, and of no file that is gone', async () => {
    const bridge = await open({ ready: { lives: [whole()] } });
    await problems(bridge);
    bridge.write('a.txt', 'mended\n');
    bridge.write('new.txt', 'ERROR_new\n');
    bridge.remove('b.txt');
    expect((await problems(bridge)).data).toMatchObject({
      complete: true,
      checked: 3,
      diagnostics: [{ file_path: 'new.txt', code: 'ERROR_new' }],
    });
  });

  it('are told again where the server says that they are unchanged', async () => {
    const bridge = await open({ ready: { lives: [whole()] } });
    await problems(bridge);
    expect((await problems(bridge)).data).toMatchObject(all);
    const [, second] = asked(bridge);
    expect(second?.params).toMatchObject({ previousResultIds: [{}, {}, {}] });
  });

  it('PRO-18 also come in parts, before the answer', async () => {
    const parts: Action[] = [
      {
        notify: {
          method: '$/progress',
          params: { token: 'lspan-partial-1', value: { items: [report('a.txt', 'one')] } },
        },
      },
      { replyValue: { items: [report('b.txt', 'two')] } },
    ];
    const bridge = await open({ ready: { lives: [whole({ on: { method }, do: parts })] } });
    expect((await problems(bridge)).data).toMatchObject({
      complete: true,
      diagnostics: [{ code: 'one' }, { code: 'two' }],
    });
  });

  it('come with a doubt where the server never ends its answer', async () => {
    const part: Action = {
      notify: {
        method: '$/progress',
        params: { token: 'lspan-partial-1', value: { items: [report('a.txt', 'one')] } },
      },
    };
    const lives = [whole({ on: { method }, do: [part, { never: true }] })];
    const bridge = await open({ ready: { lives } }, 5_000);
    const { data, text, isError } = await problems(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      complete: false,
      files: [{ file_path: 'a.txt', state: 'pending', unheard: ['ready'] }],
      diagnostics: [{ code: 'one' }],
    });
    const detail = expect.stringMatching(/not finished/);
    expect(data.doubts).toContainEqual({ kind: 'indexing', server: 'ready', detail });
    expect(text).not.toContain('No problems');
  });

  it.each<[string, Action]>([
    ['refuses', { replyError: { code: -32803, message: 'No.' } }],
    ['dies', { exit: { code: 5 } }],
    ['answers nonsense', { replyValue: 'nonsense' }],
    ['answers nothing', { replyValue: null }],
    [
      'does not want to be asked',
      { replyError: { code: -32802, message: 'No.', data: { retriggerRequest: false } } },
    ],
  ])('are never said to be none where it %s', async (_what, action) => {
    const lives = [whole({ on: { method }, do: [action] })];
    const bridge = await open({ ready: { lives } });
    const { data, text, isError } = await problems(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false });
    expect(text).not.toContain('No problems');
    expect(data.doubts).toContainEqual(expect.objectContaining({ server: 'ready' }));
  });

  it('are not said to be none right after it has crashed', async () => {
    const lives = [whole({ on: { method }, do: [{ exit: { code: 5 } }] }), whole()];
    const bridge = await openTestBridge({
      files: { 'clean.txt': 'nothing\n' },
      servers: { ready: { lives } },
    });
    const { data, text } = await problems(bridge);
    expect(data).toMatchObject({ complete: false, files: [{ file_path: 'clean.txt', state: 'pending' }] });
    expect(data.doubts).toContainEqual(
      expect.objectContaining({ kind: 'server_restarted', server: 'ready' }),
    );
    expect(text).not.toContain('No problems in');
    expect((await problems(bridge)).text).toContain('No problems in 1 file.');
  });

  it('are of the text that was sent, not of an older one', async () => {
    const old = { ...report('a.txt', 'old'), version: 1 };
    const rule: Rule = { on: { method }, do: [{ replyValue: { items: [old, report('b.txt')] } }] };
    const bridge = await open({ ready: { lives: [whole(rule)] } });
    await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 1 });
    bridge.write('a.txt', 'WARN_present\n');
    expect((await problems(bridge)).data).toMatchObject({
      complete: true,
      checked: 2,
      diagnostics: [{ code: 'WARN_present' }],
    });
  });

  it('are stale where it passes over a file that had some', async () => {
    const first: Rule = { on: { method, nth: 1 }, do: [{ replyValue: { items: [report('a.txt', 'one')] } }] };
    const second: Rule = { on: { method, nth: 2 }, do: [{ replyValue: { items: [] } }] };
    const bridge = await open({ ready: { lives: [whole(first, second)] } });
    await problems(bridge);
    expect((await problems(bridge)).data).toMatchObject({
      complete: false,
      files: [{ file_path: 'a.txt', state: 'stale' }],
      diagnostics: [{ code: 'one' }],
    });
  });
});

describe('the problems of the workspace from servers that check only what they are shown', () => {
  it('are those of all files, also beside a server that checks all by itself', async () => {
    const bridge = await open({ ready: { lives: [whole()] }, patient: { lives: [{ diagnostics: 'push' }] } });
    expect((await problems(bridge)).data).toMatchObject(all);
  });

  it.each(['push', 'pull'] as const)(
    'are known at the next call without asking again (%s)',
    async (diagnostics) => {
      const bridge = await open({ ready: { lives: [{ diagnostics }] } });
      expect((await problems(bridge)).data).toMatchObject(all);
      const before = bridge.received('ready').length;
      expect((await problems(bridge)).data).toMatchObject(all);
      expect(bridge.received('ready')).toHaveLength(before);
    },
  );

  it('are asked for again after the server was started anew', async () => {
    const bridge = await open({ ready: { lives: [{ diagnostics: 'push' }] } });
    await problems(bridge);
    process.kill(bridge.pids('ready')[0] ?? 0, 'SIGKILL');
    await bridge.logged.nth(({ event }) => event === 'server_crashed');
    expect((await problems(bridge)).data).toMatchObject(all);
    expect(asked(bridge, 'textDocument/didOpen').length).toBeGreaterThanOrEqual(6);
  });

  it('are those of more files than are open at once', async () => {
    const names = Array.from({ length: limits.openDocuments + 1 }, (_, index) => `${index}.txt`);
    const texts = Object.fromEntries(names.map((name) => [name, 'ERROR_x\n']));
    const bridge = await openTestBridge({
      files: texts,
      servers: { ready: { lives: [{ diagnostics: 'push' }] } },
    });
    const { data } = await problems(bridge);
    expect(data).toMatchObject({ complete: true, total: names.length, checked: names.length });
  });

  it('are asked for again where a server asks for it, though nothing was sent to it', async () => {
    const refresh: Rule = {
      on: { method: 'textDocument/hover' },
      do: [
        { request: { method: 'workspace/diagnostic/refresh' } },
        { request: { method: 'workspace/diagnostic/refresh' } },
      ],
    };
    const bridge = await open({ ready: { lives: [{ diagnostics: 'pull', rules: [refresh] }] } });
    await problems(bridge);
    const pulled = () => asked(bridge, 'textDocument/diagnostic').length;
    await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 1 });
    const before = pulled();
    expect((await problems(bridge)).data).toMatchObject(all);
    expect(pulled()).toBe(before + 3);
  });

  it('go on where the time of the last call ended, and say how far they came', async () => {
    const names = Array.from({ length: 3 * limits.check.turn }, (_, index) => `${1_000 + index}.txt`);
    const texts = Object.fromEntries(names.map((name) => [name, 'WARN_x\n']));
    const slow = names.slice(0, 4 * limits.check.pulls).map((_, index): Rule => {
      const on = { method: 'textDocument/diagnostic', nth: limits.check.turn + 1 + index };
      return { on, do: [{ waitFor: 'textDocument/hover' }] };
    });
    const servers = { ready: { lives: [{ diagnostics: 'pull' as const, rules: slow }] } };
    const bridge = await openTestBridge({ files: texts, deadline: 6_000, servers });
    const first = await problems(bridge);
    expect(first.data).toMatchObject({ complete: false, total: limits.check.turn });
    expect(first.data.unchecked).toBeGreaterThan(0);
    expect(first.text).toMatch(/\d+ files not checked yet: the same call goes on\./);
    expect(first.data.doubts).toContainEqual({
      kind: 'indexing',
      server: 'ready',
      detail: expect.stringMatching(
        /^ready has checked \d+ of 192 files: call again to go on with the others\.$/,
      ),
    });
    let last = first;
    for (let call = 0; call < 4 && last.data.complete !== true; call += 1) {
      await bridge.call('get_hover', { file_path: '1000.txt', line: 1, character: 1 });
      last = await problems(bridge);
    }
    expect(last.data).toMatchObject({ complete: true, total: names.length });
    const pulled = asked(bridge, 'textDocument/diagnostic').map(({ params }) => JSON.stringify(params));
    const ofFirst = pulled.filter((params) => params.includes('/1000.txt'));
    expect(ofFirst).toHaveLength(1);
  });

  it('are of the other files where one is never answered, which is told and asked for again last', async () => {
    const stuck: Rule = { on: { method: 'textDocument/diagnostic', nth: 1 }, do: [{ never: true }] };
    const bridge = await open({ ready: { lives: [{ diagnostics: 'pull', rules: [stuck] }] } }, 6_000);
    const { data } = await problems(bridge);
    expect(data).toMatchObject({
      complete: false,
      files: [
        { file_path: 'a.txt', state: 'pending', unheard: ['ready'] },
        { file_path: 'b.txt', state: 'fresh' },
      ],
    });
    expect((await problems(bridge)).data).toMatchObject(all);
  });

  it('are of a folder or a glob if one is named, and an ignored folder has none', async () => {
    const texts = { 'src/a.txt': 'ERROR_a\n', 'src/deep/b.txt': 'ERROR_b\n', 'c.txt': 'ERROR_c\n' };
    const bridge = await openTestBridge({
      files: texts,
      servers: { ready: { lives: [{ diagnostics: 'push' }] } },
    });
    const codes = async (file_path: string) =>
      JSON.stringify((await bridge.call('get_diagnostics', { file_path })).data.diagnostics).match(
        /(?<="code":")\w+/g,
      );
    expect(await codes('src')).toEqual(['ERROR_a', 'ERROR_b']);
    expect(await codes('src/')).toEqual(['ERROR_a', 'ERROR_b']);
    expect(await codes('src/*.txt')).toEqual(['ERROR_a']);
    expect(await codes('**/{b,c}.txt')).toEqual(['ERROR_c', 'ERROR_b']);
    expect(await codes('.')).toHaveLength(3);
    const nothing = await bridge.call('get_diagnostics', { file_path: 'src/*.md' });
    expect(nothing.text).toMatch(/^not_found: "src\/\*\.md" matches no file/);
  });
});
