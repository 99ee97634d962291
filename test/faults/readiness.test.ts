import { describe, expect, it, vi } from 'vitest';
import { defaultConfig } from '../../src/config/default-config.ts';
import type { Action, FakeScript, Rule } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  Happenings,
  openTestBridge,
  question,
  type TestBridge,
} from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const { limits } = defaultConfig;
const progress = (kind: 'begin' | 'report' | 'end', title = 'Loading the project'): Action => ({
  progress:
    kind === 'report' ? { token: title, kind, message: '3 of 7 files' } : { token: title, kind, title },
});
const atOpen = (nth: number, ...actions: Action[]): Rule => ({
  on: { method: 'textDocument/didOpen', nth },
  do: actions,
});
const open = (id: string, rules: readonly Rule[], readiness = limits.readiness): Promise<TestBridge> => {
  const lives: FakeScript[] = [{ rules }];
  return openTestBridge({ config: { limits: { ...limits, readiness } }, servers: { [id]: { lives } } });
};
const methods = (bridge: TestBridge, id: string) =>
  bridge.received(id).flatMap(({ method }) => (method?.startsWith('textDocument/d') ? [method] : []));

/** Ways in which a server tells that it loads, and that it has loaded, and what is passed on of it meanwhile. */
const signals: readonly [string, string, readonly Action[], readonly Action[]][] = [
  [
    'loading',
    'loading is loading the project (Loading the project: 3 of 7 files)',
    [progress('begin'), progress('report')],
    [progress('end')],
  ],
  [
    'loading',
    'loading is loading the project (Loading more)',
    [progress('begin'), progress('begin', 'Loading more'), progress('end')],
    [progress('begin', 'Counting'), progress('end', 'Loading more')],
  ],
  [
    'logging',
    'logging is loading the project',
    [{ notify: { method: 'window/logMessage', params: { type: 3, message: 'Loading' } } }],
    [{ notify: { method: 'window/logMessage', params: { type: 3, message: 'Loaded 2 files' } } }],
  ],
  [
    'notifying',
    'notifying is loading the project',
    [{ notify: { method: '$/status', params: { ready: false } } }],
    [{ notify: { method: '$/status', params: { ready: true } } }],
  ],
];

describe('problems of a file, at a server that finds most of them before it has loaded', () => {
  const openWith = (text: string) =>
    openTestBridge({
      files: { 'a.txt': text },
      config: { limits: { ...limits, readiness: brief } },
      servers: {
        forward: { lives: [{ diagnostics: 'push', rules: [atOpen(1, progress('begin'))] }] },
      },
    });

  it.each([
    ['are told at once if no more can come', 'WARN_a\n', { complete: true, files: [{ state: 'fresh' }] }],
    [
      'wait for that if more can come',
      'ERROR_a\n',
      { complete: false, doubts: [{ kind: 'indexing' }], files: [{ state: 'pending' }] },
    ],
  ])('%s', async (_title, text, expected) => {
    const bridge = await openWith(text);
    expect((await bridge.call('get_diagnostics', { file_path: 'a.txt' })).data).toMatchObject(expected);
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'indexing' }],
    });
  });
});

describe('a question to a server that tells when it has loaded', () => {
  it.each(signals)('waits for that, and the caller is told: %s', async (id, words, begin, end) => {
    // The second document is opened by the second call, so the server has loaded when the test says so.
    const bridge = await open(id, [atOpen(1, ...begin), atOpen(2, ...end)]);
    const reports = new Happenings<string>();
    const asked = ask(bridge, { report: (message) => reports.add(message) });
    await reports.nth((message) => message === words);
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'indexing' }],
    });
    expect((await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 10 })).isError).toBe(
      false,
    );
    expect((await asked).data).toMatchObject({ complete: true, ...question.answer });
    expect(methods(bridge, id).slice(0, 3)).toEqual([
      'textDocument/didOpen',
      'textDocument/didOpen',
      'textDocument/definition',
    ]);
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'ready' }],
    });
    await expectInOrder(bridge);
  });

  it('is answered with the doubt `indexing` when that does not come in time', async () => {
    const bridge = await open('loading', [atOpen(1, progress('begin'), progress('report'))], brief);
    await warm(bridge);
    const { data, text } = await ask(bridge);
    expect(data).toMatchObject({
      complete: false,
      doubts: [{ kind: 'indexing', server: 'loading' }],
      ...question.answer,
    });
    expect(text).toMatch(
      /: loading is loading the project \(Loading the project: 3 of 7 files\)\. Call again/,
    );
  });

  it('is an error when that does not come in time and nothing was found', async () => {
    const nothing: Rule = { on: { method: 'textDocument/definition' }, do: [{ emptyResult: true }] };
    const bridge = await open('loading', [atOpen(1, progress('begin')), nothing], brief);
    await warm(bridge);
    expectError(
      await ask(bridge),
      'server_unverified',
      /loading is loading the project \(Loading the project\)/,
    );
  });

  it('is answered without a doubt when a server that loads in turn answers, but fails to tell the end', async () => {
    const again: Rule = { on: { method: 'workspace/didChangeWatchedFiles' }, do: [progress('begin')] };
    const bridge = await open('sequential', [atOpen(1, progress('begin', 'Loading one')), again]);
    expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
    bridge.write('c.txt', 'function gamma\n');
    expect((await ask(bridge)).data).toMatchObject({ complete: true, ...question.answer });
  });

  it('is in doubt as long as such a server does not answer', async () => {
    const silent: Rule = { on: { method: 'textDocument/documentSymbol' }, do: [{ never: true }] };
    const bridge = await open('sequential', [atOpen(1, progress('begin')), silent], 2 * brief);
    expect((await ask(bridge)).data).toMatchObject({ complete: false, doubts: [{ kind: 'indexing' }] });
  });

  it('waits again when the server loads again', async () => {
    const loaded = [progress('begin'), progress('end')];
    const again: Rule = { on: { method: 'workspace/didChangeWatchedFiles' }, do: [progress('begin')] };
    const bridge = await open('loading', [atOpen(1, ...loaded), again], brief);
    await warm(bridge);
    expect((await ask(bridge)).data).toMatchObject({ complete: true });
    bridge.write('c.txt', 'function gamma\n');
    // The reply comes after what the server said before it.
    await bridge.call('get_hover', question.input);
    expect((await ask(bridge)).data).toMatchObject({ complete: false, doubts: [{ kind: 'indexing' }] });
  });

  it('is told to a client in one line that hides nothing', async () => {
    const forged = progress('begin', 'Loading\n\u202e\u0007 all');
    const bridge = await open('loading', [atOpen(1, forged)], brief);
    await warm(bridge);
    const reports: string[] = [];
    await ask(bridge, { report: (message) => reports.push(message) });
    expect(reports).toContain('loading is loading the project (Loading \\u{202e}\\u{7} all)');
  });

  it('that must be asked whether it is ready is asked, and not for longer than a call may wait', async () => {
    const asked = (...actions: Action[]): Rule => ({ on: { method: 'fake/ready' }, do: actions });
    const bridge = await open('enquired', [asked({ replyValue: true })]);
    await expectInOrder(bridge);
    expect(bridge.received('enquired').map(({ method }) => method)).toContain('fake/ready');
    const silent = await open('enquired', [asked({ never: true })], brief);
    expect((await ask(silent)).data).toMatchObject({ doubts: [{ kind: 'indexing' }], ...question.answer });
  });

  it('that does not know that question is one that never tells', async () => {
    const nothing: Rule = { on: { method: 'textDocument/hover' }, do: [{ emptyResult: true }] };
    const bridge = await open('enquired', [nothing]);
    await expectInOrder(bridge);
    expectError(
      await bridge.call('get_hover', question.input),
      'server_unverified',
      /does not report whether/,
    );
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'running' }],
    });
  });

  const died: Action = {
    notify: { method: 'window/logMessage', params: { type: 1, message: 'The worker has died.' } },
  };
  const nothing: Rule = { on: { method: 'textDocument/definition' }, do: [{ emptyResult: true }] };
  it.each<[string, readonly Action[]]>([
    ['and then says that its child died', [progress('end'), died]],
    ['after it said that its child died', [died, progress('end')]],
    ['and then dies', [progress('end'), { exit: { code: 0 } }]],
    ['and then is killed', [progress('end'), { signalSelf: 'SIGKILL' }]],
  ])('PRO-28 is not taken for loaded because its progress ends with it: %s', async (_how, teardown) => {
    const dying: FakeScript = { rules: [atOpen(1, progress('begin'), ...teardown), nothing] };
    const loading: FakeScript = { rules: [atOpen(1, progress('begin'), progress('end'))] };
    const bridge = await openTestBridge({ servers: { loading: { lives: [dying, loading] } } });
    expect((await ask(bridge)).data).toMatchObject({
      doubts: [{ kind: 'server_restarted' }],
      ...question.answer,
    });
    await expectInOrder(bridge);
    expect(bridge.pids('loading')).toHaveLength(2);
  });

  it('that dies while it loads is asked of a new one', async () => {
    const dying: FakeScript = { rules: [atOpen(1, progress('begin'), { exit: { code: 5 } })] };
    const loading: FakeScript = { rules: [atOpen(1, progress('begin'), progress('end'))] };
    const bridge = await openTestBridge({ servers: { loading: { lives: [dying, loading] } } });
    expect((await ask(bridge)).data).toMatchObject({
      doubts: [{ kind: 'server_restarted' }],
      ...question.answer,
    });
    await expectInOrder(bridge);
  });
});

/** So short is waited for a server that never gets ready; its answer has the rest of the call. */
const brief = 1_000;

/** Asks something until the server is up, so that the time is not spent on its start. */
async function warm(bridge: TestBridge): Promise<void> {
  const outline = () => bridge.call('get_document_symbols', { file_path: 'b.txt' });
  while ((await outline()).isError);
}
