import { describe, expect, it, vi } from 'vitest';
import { DiagnosticsStore } from '../../src/backends/lsp/session/diagnostics-store.ts';
import { defaultConfig } from '../../src/config/default-config.ts';
import { limits } from '../../src/core/limits.ts';
import type { Action, FakeScript, Rule } from '../fake-server/script.ts';
import { expectError, openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const files = { 'a.txt': 'ERROR_a here\n', 'b.txt': 'WARN_b here\n', 'clean.txt': 'nothing here\n' };
const open = (script: FakeScript, patience = usual, id = 'ready') =>
  openTestBridge({ files, config: { limits: patience }, servers: { [id]: { lives: [script] } } });
const problemsOf = (bridge: TestBridge, file_path: string) => bridge.call('get_diagnostics', { file_path });
const fresh = (file_path: string, ...codes: string[]) => ({
  complete: true,
  doubts: [],
  files: [{ file_path, state: 'fresh', problems: codes.length }],
  diagnostics: codes.map((code) => ({ file_path, code })),
});

const usual = defaultConfig.limits;
/** Long enough for what comes on a busy machine, short enough to be waited for; the call has far more time. */
const short = { ...usual, diagnostics: 2_500, diagnosticsCold: 2_500 };

describe.each(['push', 'push_unversioned', 'pull', 'both'] as const)('problems by %s', (diagnostics) => {
  it('are those of the present text, also after it changed on the disk', async () => {
    const bridge = await open({ diagnostics });
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'ERROR_a'));
    bridge.write('a.txt', 'mended, but WARN_a\n');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'WARN_a'));
    bridge.write('a.txt', 'all is well\n');
    const { data, text } = await problemsOf(bridge, 'a.txt');
    expect(data).toMatchObject(fresh('a.txt'));
    expect(text).toContain('No problems in a.txt.');
  });

  it('are none only where the server has said so', async () => {
    const bridge = await open({ diagnostics });
    expect((await problemsOf(bridge, 'clean.txt')).data).toMatchObject(fresh('clean.txt'));
  });

  it('of a file stay known while others are looked at', async () => {
    const bridge = await open({ diagnostics });
    for (const [file, code] of [
      ['a.txt', 'ERROR_a'],
      ['b.txt', 'WARN_b'],
      ['a.txt', 'ERROR_a'],
      ['b.txt', 'WARN_b'],
    ] as const) {
      expect((await problemsOf(bridge, file)).data).toMatchObject(fresh(file, code));
    }
  });

  it('of several files come together', async () => {
    const bridge = await open({ diagnostics });
    const { data } = await bridge.call('get_diagnostics', { file_paths: ['b.txt', 'clean.txt', 'a.txt'] });
    expect(data).toMatchObject({
      complete: true,
      files: [
        { file_path: 'a.txt', state: 'fresh' },
        { file_path: 'b.txt', state: 'fresh' },
        { file_path: 'clean.txt', state: 'fresh' },
      ],
      diagnostics: [{ code: 'ERROR_a' }, { code: 'WARN_b' }],
    });
  });

  it('of a file that is deleted go with it', async () => {
    const bridge = await open({ diagnostics }, short);
    await warm(bridge);
    await bridge.call('get_diagnostics', { file_paths: ['a.txt', 'b.txt'] });
    bridge.remove('a.txt');
    const { data } = await bridge.call('get_diagnostics', {});
    expect(data).toMatchObject({
      checked: 2,
      files: [{ file_path: 'b.txt' }],
      diagnostics: [{ file_path: 'b.txt', code: 'WARN_b' }],
    });
    expectError(await problemsOf(bridge, 'a.txt'), 'not_found', /a\.txt/);
  });

  it('are told with the doubt `server_restarted` when the server crashed meanwhile', async () => {
    const method = diagnostics.startsWith('push') ? 'textDocument/didOpen' : 'textDocument/diagnostic';
    const crash: FakeScript = {
      diagnostics: 'none',
      rules: [{ on: { method }, do: [{ exit: { code: 5 } }] }],
    };
    const lives = [{ ...crash, diagnostics }, { diagnostics }];
    const bridge = await openTestBridge({ files, servers: { ready: { lives } } });
    const { data } = await problemsOf(bridge, 'a.txt');
    expect(data).toMatchObject({
      doubts: [{ kind: 'server_restarted', server: 'ready' }],
      diagnostics: [{ code: 'ERROR_a' }],
    });
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'ERROR_a'));
  });

  it('are not said to be none right after the server crashed', async () => {
    const method = diagnostics.startsWith('push') ? 'textDocument/didOpen' : 'textDocument/diagnostic';
    const lives = [
      { diagnostics, rules: [{ on: { method }, do: [{ exit: { code: 5 } }] }] },
      { diagnostics },
    ];
    const bridge = await openTestBridge({ files, servers: { ready: { lives } } });
    const { text, data } = await problemsOf(bridge, 'clean.txt');
    expect(data).toMatchObject({ complete: false });
    expect(text).not.toContain('No problems in');
    expect((await problemsOf(bridge, 'clean.txt')).text).toContain('No problems in clean.txt.');
  });
});

describe('published problems', () => {
  const publication = (version: number | undefined, ...codes: string[]) => ({
    method: 'textDocument/publishDiagnostics',
    params: {
      uri: 'file://<root>/a.txt',
      ...(version === undefined ? {} : { version }),
      diagnostics: codes.map((code) => ({
        code,
        message: code,
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
      })),
    },
  });
  const publish = (...what: Parameters<typeof publication>): Action => ({ notify: publication(...what) });
  const on = (method: string, ...actions: Action[]): Rule => ({ on: { method }, do: actions });
  const script = (...rules: Rule[]): FakeScript => ({ diagnostics: 'none', rules });
  const { didOpen, didChange } = { didOpen: 'textDocument/didOpen', didChange: 'textDocument/didChange' };
  const expectUnsure = async (bridge: TestBridge, state: string) => {
    const { data, text, isError } = await problemsOf(bridge, 'a.txt');
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      complete: false,
      files: [{ state }],
      doubts: [{ kind: 'indexing', server: expect.any(String), detail: expect.stringMatching(/a\.txt/) }],
    });
    expect(text).not.toContain('No problems in');
  };

  it('that never come are `pending`, and never "No problems"', async () => {
    const bridge = await open(script(), short);
    await warm(bridge);
    await expectUnsure(bridge, 'pending');
  });

  it.each([1, undefined])(
    'may come empty first and whole a moment later, with the version %s',
    async (version) => {
      const bridge = await open(
        script(on(didOpen, publish(version), { delayMs: 50 }, publish(version, 'late'))),
        usual,
        'patient',
      );
      expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'late'));
    },
  );

  const command = 'workspace/executeCommand';

  it('that come empty before the server has checked the file are waited for', async () => {
    const late = on(command, { delayMs: 1_000 }, { replyValue: 'checked' }, publish(1, 'late'));
    const bridge = await open(script(on(didOpen, publish(1)), late), usual, 'checking');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'late'));
  });

  it('that are none are believed of a server that publishes nothing, if its checks of every kind find nothing', async () => {
    const bridge = await open(script(on(command, { replyValue: 'nothing' })), usual, 'checking');
    await warm(bridge);
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt'));
  });

  it('that are none are `pending` of a server that publishes nothing, if one of its checks finds something', async () => {
    const semantic: Rule = { on: { method: command, nth: 1 }, do: [{ replyValue: 'nothing' }] };
    const bridge = await open(script(semantic, on(command, { replyValue: 'checked' })), short, 'checking');
    await expectUnsure(bridge, 'pending');
  });

  it('are asked for once where they stay as they are', async () => {
    const once: Rule = { on: { method: command, nth: 1 }, do: [{ replyValue: 'checked' }] };
    const again: Rule = { on: { method: command, nth: 2 }, do: [{ exit: { code: 5 } }] };
    const rules = [on(didOpen, publish(1, 'here')), once, again];
    const bridge = await open(script(...rules), usual, 'checking');
    for (let call = 1; call <= 2; call += 1)
      expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'here'));
  });

  it.each<[string, Action]>([
    ['does not answer whether it has checked the file', { never: true }],
    ['answers that it has not', { replyValue: 'not yet' }],
    ['refuses to tell', { replyError: { code: -32603, message: 'No.' } }],
  ])('that are none are `pending` while the server %s', async (_title, action) => {
    const bridge = await open(script(on(didOpen, publish(1)), on(command, action)), short, 'checking');
    await expectUnsure(bridge, 'pending');
  });

  it('that are none are `pending` while the server complains of the project', async () => {
    const broken: Action = { notify: { method: '$/status', params: { broken: true } } };
    const whole: Action = { notify: { method: '$/status', params: {} } };
    const rules = [on(didOpen, broken, publish(1)), on(didChange, whole, publish(2))];
    const bridge = await open(script(...rules), usual, 'complaining');
    const { data, text } = await problemsOf(bridge, 'a.txt');
    const doubt = { kind: 'project_not_loaded', detail: 'complaining reports: The project is broken.' };
    expect(data).toMatchObject({ complete: false, files: [{ state: 'pending' }] });
    expect(data).toMatchObject({ doubts: expect.arrayContaining([expect.objectContaining(doubt)]) });
    expect(text).not.toContain('No problems in');
    bridge.write('a.txt', 'mended\n');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt'));
  });

  it('that are none are an error for a program, until the project is mended or where another server has checked it', async () => {
    const broken: Action = { notify: { method: '$/status', params: { broken: true } } };
    const whole: Action = { notify: { method: '$/status', params: {} } };
    const complaining = {
      lives: [script(on(didOpen, broken, publish(1)), on(didChange, whole, publish(2)))],
    };
    const alone = await openTestBridge({ files, servers: { complaining } });
    await expect(alone.hostApi?.check('a.txt', undefined)).rejects.toMatchObject({
      code: 'server_unverified',
      message:
        'No problems of "a.txt" are known, but it may have some. complaining reports: The project is broken.',
      nextStep: 'Fix that, then check it again.',
      retryable: false,
    });
    alone.write('a.txt', 'mended\n');
    expect(await alone.hostApi?.check('a.txt', undefined)).toMatchObject({ problems: [], doubts: [] });
    const both = await openTestBridge({
      files: { 'a.txt': 'fine\n' },
      servers: { complaining, ready: { lives: [{}] } },
    });
    expect(await both.hostApi?.check('a.txt', undefined)).toMatchObject({
      problems: [],
      doubts: expect.arrayContaining([expect.objectContaining({ kind: 'project_not_loaded' })]),
    });
  });

  it('of an older version are not those of the present text', async () => {
    const bridge = await open(
      script(on(didOpen, publish(1, 'old')), on(didChange, publish(1, 'old'))),
      short,
    );
    await warm(bridge);
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'old'));
    bridge.write('a.txt', 'other text\n');
    await expectUnsure(bridge, 'stale');
  });

  it('of a newer version than ours count', async () => {
    const bridge = await open(script(on(didOpen, publish(7, 'new'))));
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'new'));
  });

  it('that do not come again after a change are stale', async () => {
    const bridge = await open(script(on(didOpen, publish(undefined, 'old'))), short);
    await warm(bridge);
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'old'));
    bridge.write('a.txt', 'other text\n');
    await expectUnsure(bridge, 'stale');
  });

  it('PRO-23 of an older version that come late do not replace those of the present one', async () => {
    const bridge = await open(
      script(on(didOpen, publish(1, 'old')), on(didChange, publish(2, 'new'), publish(1, 'old'))),
    );
    await problemsOf(bridge, 'a.txt');
    bridge.write('a.txt', 'other text\n');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'new'));
  });

  it('PRO-23 of an older version do not replace those without a version either', async () => {
    const rules = [
      on(didOpen, publish(1, 'old')),
      on(didChange, publish(undefined, 'new'), publish(1, 'old')),
    ];
    const bridge = await open(script(...rules));
    await problemsOf(bridge, 'a.txt');
    bridge.write('a.txt', 'other text\n');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'new'));
  });

  it('PRO-23 are found under every spelling of the file, and never under another file', async () => {
    const as = (uri: string, code: string): Action => ({
      notify: {
        method: 'textDocument/publishDiagnostics',
        params: {
          uri,
          version: 1,
          diagnostics: [
            {
              code,
              message: code,
              range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
            },
          ],
        },
      },
    });
    const spelled = as('file://localhost<root>/%61.txt', 'spelled');
    const others = [
      as('file://<root>/b.txt', 'other'),
      as('file://<root>/a.txt2', 'longer'),
      as('file:///a.txt', 'outside'),
    ];
    const bridge = await open(script(on(didOpen, ...others, spelled)));
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'spelled'));
  });

  it('PRO-23 that come by the hundred thousand end in the last one', async () => {
    const flood = ['x', 'y'].map((code) => ({ notify: { ...publication(1, code), times: 50_000 } }));
    // Its reply comes after the flood, however long that takes.
    const checked = on('workspace/executeCommand', { replyValue: 'checked' });
    const lives = [script(on(didOpen, ...flood, publish(1, 'last')), checked)];
    const patient = { ...usual, diagnostics: 100_000, diagnosticsCold: 100_000 };
    const config = { limits: patient };
    const bridge = await openTestBridge({
      files,
      deadline: 150_000,
      config,
      servers: { checking: { lives } },
    });
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'last'));
  }, 180_000);

  it('of very many files are forgotten, the oldest first', () => {
    const board = new DiagnosticsStore();
    for (let file = 0; file <= limits.diagnostics.files; file += 1)
      board.publish(`/${file}`, { diagnostics: [] });
    expect(board.paths()).toHaveLength(limits.diagnostics.files);
    expect([board.knows('/0'), board.knows('/1')]).toEqual([false, true]);
  });

  it('come out although the server never ceases to speak of other files', async () => {
    const params = { uri: 'file:///other', diagnostics: [{ message: 'elsewhere' }] };
    const other: Action = { notify: { method: 'textDocument/publishDiagnostics', params } };
    const talk = Array.from({ length: 400 }, () => [other, { delayMs: 20 }]).flat();
    const bridge = await open(script(on(didOpen, publish(1, 'here'), ...talk)), short);
    await warm(bridge, 'b.txt');
    const { data, isError } = await problemsOf(bridge, 'a.txt');
    expect(isError).toBe(false);
    expect(data).toMatchObject({ diagnostics: [{ code: 'here' }] });
  });

  it('are no others because hints are to be asked for again', async () => {
    const refresh: Action = { request: { method: 'workspace/inlayHint/refresh' } };
    const bridge = await open(script(on(didOpen, publish(1, 'here'), refresh)), short);
    await warm(bridge, 'b.txt');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'here'));
  });
});

describe('a pulled report', () => {
  const reports: readonly [string, unknown][] = [
    ['of null', null],
    ['without items', { kind: 'full' }],
    ['that is unchanged although nothing was known', { kind: 'unchanged', resultId: '1' }],
    ['of another shape', []],
  ];
  it.each(reports)('%s says nothing, and never "No problems"', async (_what, replyValue) => {
    const bridge = await open({
      rules: [{ on: { method: 'textDocument/diagnostic', nth: 1 }, do: [{ replyValue }] }],
    });
    const { data, text, isError } = await problemsOf(bridge, 'a.txt');
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: false, files: [{ state: 'pending' }] });
    expect(text).not.toContain('No problems in');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'ERROR_a'));
  });
});

it('one file that nobody can check does not hide the problems of the others', async () => {
  const servers: Record<string, TestServer> = { ready: {} };
  const bridge = await openTestBridge({ files: { ...files, 'c.unknown': 'x\n' }, servers });
  const { data, isError } = await bridge.call('get_diagnostics', { file_paths: ['a.txt', 'c.unknown'] });
  expect(isError).toBe(false);
  expect(data).toMatchObject({
    complete: false,
    files: [
      { file_path: 'a.txt', state: 'fresh' },
      { file_path: 'c.unknown', state: 'unavailable' },
    ],
    diagnostics: [{ code: 'ERROR_a' }],
  });
});

/** Asks something until the server is up, so that the deadline is not spent on its start. */
async function warm(bridge: TestBridge, file_path = 'clean.txt'): Promise<void> {
  while ((await bridge.call('get_document_symbols', { file_path })).isError);
}

describe('a server that publishes again what it published while it loaded', () => {
  it('is told once more where it did so just before it said that it has loaded', async () => {
    const loading = (kind: 'begin' | 'end'): Action => ({ progress: { token: 'l', kind, title: 'Loading' } });
    const rules: Rule[] = [
      { on: { method: 'initialized' }, do: [loading('begin')] },
      { on: { method: 'textDocument/didOpen' }, do: [loading('end')] },
    ];
    const bridge = await open({ diagnostics: 'push', rules }, usual, 'republishing');
    expect((await problemsOf(bridge, 'a.txt')).data).toMatchObject(fresh('a.txt', 'ERROR_a'));
    expect(bridge.received('republishing').map(({ method }) => method)).toContain('textDocument/didChange');
  });
});
