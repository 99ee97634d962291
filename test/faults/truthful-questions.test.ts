import { describe, expect, it, vi } from 'vitest';
import { defaultConfig } from '../../src/config/default-config.ts';
import type { Outcome } from '../../src/tools/run/tool.ts';
import type { Action, FakeScript, Rule } from '../fake-server/script.ts';
import { expectError, openTestBridge, question, type TestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

/** Every kind of question, by position and by name: the tool, its input, and the method that it stands on. */
const questions: readonly (readonly [string, string, object, string])[] = [
  ['a definition', 'find_definition', question.input, 'textDocument/definition'],
  ['references', 'find_references', question.input, 'textDocument/references'],
  ['a hover', 'get_hover', question.input, 'textDocument/hover'],
  ['an outline', 'get_document_symbols', { file_path: 'a.txt' }, 'textDocument/documentSymbol'],
  ['symbols', 'search_workspace_symbols', { query: 'alpha' }, 'workspace/symbol'],
  [
    'a name and its kind in a file',
    'find_references',
    { symbol_name: 'alpha', symbol_kind: 'function', file_path: 'a.txt' },
    'textDocument/documentSymbol',
  ],
];

const empty: Action = { emptyResult: true };
const progress = (kind: 'begin' | 'end'): Action => ({ progress: { token: 1, kind, title: 'Loading' } });
const on = (method: string, nth: number | undefined, ...actions: Action[]): Rule => ({
  on: nth === undefined ? { method } : { method, nth },
  do: actions,
});
const loaded = on('initialized', 1, progress('begin'), progress('end'));
const error = (code: number): Action => ({ replyError: { code, message: 'no' } });
const impatient = { limits: { ...defaultConfig.limits, readiness: 300 } };
const open = (id: string, ...lives: FakeScript[]): Promise<TestBridge> =>
  openTestBridge({ servers: { [id]: { lives } }, config: impatient });
const timesAsked = (bridge: TestBridge, id: string, wanted: string) =>
  bridge.received(id).filter(({ method }) => method === wanted).length;

describe.each(questions)('%s', (_name, tool, input, method) => {
  const states: readonly (readonly [string, string, readonly FakeScript[]])[] = [
    [
      'that has not loaded yet',
      'loading',
      [{ rules: [on('initialized', 1, progress('begin')), on(method, undefined, empty)] }],
    ],
    ['that has not said a word', 'loading', [{ rules: [on(method, undefined, empty)] }]],
    ['that does not tell whether it has loaded', 'fake', [{ rules: [on(method, undefined, empty)] }]],
    [
      'that loads again whenever it is asked',
      'loading',
      [{ rules: [loaded, on(method, undefined, progress('begin'), empty, progress('end'))] }],
    ],
    [
      'that dies and knows nothing when it is started anew',
      'fake',
      [{ rules: [on(method, 1, { exit: { code: 3 } })] }, { rules: [on(method, undefined, empty)] }],
    ],
    [
      'whose progress ends because it is killed',
      'loading',
      [
        { rules: [on('initialized', 1, progress('begin'), progress('end'), { signalSelf: 'SIGKILL' })] },
        { rules: [on(method, undefined, empty)] },
      ],
    ],
  ];
  it.each(states)('PRO-28 PRO-30 of a server %s is never a bare nothing', async (_state, id, lives) => {
    const bridge = await open(id, ...lives);
    expectDoubtful(await bridge.call(tool, input));
  });

  it('PRO-30 that a server answered while it began to load is asked again', async () => {
    const rules = [loaded, on(method, 1, progress('begin'), empty, progress('end'))];
    const bridge = await open('loading', { rules });
    const { data, isError } = await bridge.call(tool, input);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: true });
    expect(timesAsked(bridge, 'loading', method)).toBeGreaterThanOrEqual(2);
  });

  const interruptions: readonly (readonly [string, number, string, RegExp])[] = [
    ['ContentModified', -32801, 'stale', /asked 3 times .* files kept changing/],
    ['ServerCancelled', -32802, 'server_unverified', /asked 3 times .* cancelled the request/],
    [
      'RequestCancelled',
      -32800,
      'server_unverified',
      /asked 3 times .* reported a cancellation .* each time/,
    ],
  ];
  it.each(interruptions)('PRO-16 PRO-17 is asked again after %s', async (_error, code) => {
    const bridge = await open('ready', { rules: [on(method, 1, error(code)), on(method, 2, error(code))] });
    const { data, isError } = await bridge.call(tool, input);
    expect(isError).toBe(false);
    expect(data).toMatchObject({ complete: true });
    expect(bridge.pids('ready')).toHaveLength(1);
  });

  it.each(interruptions)(
    'PRO-16 PRO-17 that is always answered with %s',
    async (_error, code, told, words) => {
      const bridge = await open('ready', { rules: [on(method, undefined, error(code))] });
      expectError(await bridge.call(tool, input), told, words);
      expect(timesAsked(bridge, 'ready', method)).toBe(3);
    },
  );

  it('PRO-17 that is answered with RequestFailed is not asked again', async () => {
    const bridge = await open('ready', { rules: [on(method, undefined, error(-32803))] });
    expectError(await bridge.call(tool, input), 'server_unverified', /with error -32803/);
    expect(timesAsked(bridge, 'ready', method)).toBe(1);
  });
});

describe('a name alone, whose search', () => {
  const method = 'workspace/symbol';
  const failures: readonly (readonly [string, readonly FakeScript[]])[] = [
    ['finds nothing', [{ rules: [on(method, undefined, empty)] }]],
    ...[-32801, -32802, -32800, -32803].map(
      (code) => [`always fails with ${code}`, [{ rules: [on(method, undefined, error(code))] }]] as const,
    ),
    [
      'kills the server, which then finds nothing',
      [{ rules: [on(method, 1, { exit: { code: 3 } })] }, { rules: [on(method, undefined, empty)] }],
    ],
  ];
  it.each(failures)('PRO-30 %s is found by the files that mention it', async (_failure, lives) => {
    const bridge = await open('ready', ...lives);
    const { data } = await bridge.call('find_definition', { symbol_name: 'alpha' });
    expect(data).toMatchObject(question.answer);
  });

  const outlines = 'textDocument/documentSymbol';
  it.each(failures)(
    'PRO-30 %s, and which no file defines, is never a bare nothing',
    async (_failure, lives) => {
      const unfound = on('textDocument/definition', undefined, empty);
      const silenced = lives.map(({ rules = [] }) => ({
        rules: [...rules, on(outlines, undefined, empty), unfound],
      }));
      const bridge = await open('fake', ...silenced);
      expectDoubtful(await bridge.call('find_definition', { symbol_name: 'alpha' }));
    },
  );
});

/** Either an error that may pass, or an answer that says why it may be incomplete. */
function expectDoubtful({ data, isError }: Outcome): void {
  if (isError) {
    expect(data).toMatchObject({ error: { code: 'server_unverified', retryable: true } });
  } else {
    expect(data).toMatchObject({ complete: false, doubts: [{ kind: expect.any(String) }] });
  }
}
