import { describe, expect, it, vi } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestBridge,
  type TestServer,
} from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const on = (method: string, nth: number | undefined, ...actions: Action[]) => ({
  on: nth === undefined ? { method } : { method, nth },
  do: actions,
});
const definition = 'textDocument/definition';
const references = 'textDocument/references';
const empty: Action = { emptyResult: true };
const open = (rules: FakeScript['rules'] = [], server: TestServer = {}) =>
  openTestBridge({ servers: { fake: { lives: [{ rules }], ...server } } });
const asked = (bridge: TestBridge, wanted: string) =>
  bridge.received().filter(({ method }) => method === wanted);

describe('nothing is not believed', () => {
  it('PRO-29 no reference, not even the declaration, to a symbol that has a definition is a contradiction', async () => {
    const bridge = await open([on(references, undefined, empty)]);
    expectError(
      await bridge.call('find_references', question.input),
      'server_unverified',
      /but no reference/,
    );
    await expectInOrder(bridge);
  });

  it.each(['ready', 'fake'])('PRO-29 nor when the server is known as ready: %s', async (id) => {
    const bridge = await openTestBridge({
      servers: { [id]: { lives: [{ rules: [on(references, undefined, empty)] }] } },
    });
    expectError(
      await bridge.call('find_references', question.input),
      'server_unverified',
      /but no reference/,
    );
  });

  const tools: readonly [string, object][] = [
    ['find_definition', question.input],
    ['find_references', question.input],
    ['get_hover', question.input],
  ];
  const gone = (tool: string): Action[] => [
    { notify: { method: 'window/logMessage', params: { type: 1, message: 'The worker has died.' } } },
    tool === 'get_hover' ? { replyValue: null } : { replyValue: [] },
  ];
  const methods: Readonly<Record<string, string>> = {
    find_definition: definition,
    find_references: references,
    get_hover: 'textDocument/hover',
  };
  it.each(tools)(
    'PRO-29 %s of a server whose own child has died is asked again of a new server',
    async (tool, input) => {
      const lives = [ready([on(methods[tool] ?? '', undefined, ...gone(tool))]), ready()];
      const bridge = await openTestBridge({ servers: { loading: { lives } } });
      const { data, isError } = await bridge.call(tool, input);
      expect(isError).toBe(false);
      expect(data).toMatchObject({ doubts: [{ kind: 'server_restarted' }] });
      expect((await bridge.call(tool, input)).data).toMatchObject({ complete: true });
      expect(bridge.pids('loading')).toHaveLength(2);
    },
  );

  it('PRO-29 a server whose own child dies each time is an error that says so', async () => {
    const dying = ready([on(definition, undefined, ...gone('find_definition'))]);
    const bridge = await openTestBridge({ servers: { loading: { lives: [dying, dying, ready()] } } });
    expectError(await ask(bridge), 'server_crashed', /loading depends on has died/);
    await expectInOrder(bridge);
  });
});

describe('PRO-30 a server that does not tell when it is ready', () => {
  it.each([1, 2])(
    'and answers with nothing %i times is asked again, and its answer is no doubt',
    async (times) => {
      const rules = Array.from({ length: times }, (_, index) => on(definition, index + 1, empty));
      const bridge = await open(rules);
      await expectInOrder(bridge);
      expect(asked(bridge, definition)).toHaveLength(times + 1);
    },
  );

  it('is asked again at once when it says anything', async () => {
    const bridge = await open([
      on(definition, 1, empty, { notify: { method: 'window/logMessage', params: {} } }),
    ]);
    await expectInOrder(bridge);
    expect(asked(bridge, definition)).toHaveLength(2);
  });

  it('is believed a definition that it finds, but not that there is none', async () => {
    const bridge = await open([on(definition, undefined, empty)]);
    expectError(
      await ask(bridge),
      'server_unverified',
      /fake/,
      /does not report whether it has finished loading/,
    );
    expect(asked(bridge, definition)).toHaveLength(3);
    expect((await bridge.call('get_hover', question.input)).data).toMatchObject({ complete: true });
  });

  it('is not believed that the workspace has no such symbol', async () => {
    const bridge = await open();
    const outcome = await bridge.call('search_workspace_symbols', { query: 'nowhere' });
    expectError(outcome, 'server_unverified', /"nowhere"/, /fake returned nothing/);
    expect(asked(bridge, 'workspace/symbol')).toHaveLength(3);
  });
});

it('a server that is known as ready is asked once, and what it cannot resolve is not called undefined', async () => {
  const bridge = await openTestBridge({
    servers: { ready: { lives: [{ rules: [on(definition, 1, empty)] }] } },
  });
  expectError(await ask(bridge), 'server_unverified', /The server cannot resolve "alpha" here/);
  expect(bridge.received('ready').filter(({ method }) => method === definition)).toHaveLength(1);
  await expectInOrder(bridge);
});

describe('PRO-16 a server that says that the text was modified meanwhile', () => {
  const modified: Action = { replyError: { code: -32801, message: 'content modified' } };
  const cancelled: Action = { replyError: { code: -32802, message: 'server cancelled' } };

  it.each([
    ['once', [modified]],
    ['twice', [modified, modified]],
    ['in two ways', [cancelled, modified]],
  ])('%s is asked again, and the answer is whole', async (_times, errors) => {
    const bridge = await open(errors.map((error, index) => on(definition, index + 1, error)));
    await expectInOrder(bridge);
    expect(asked(bridge, definition)).toHaveLength(errors.length + 1);
  });

  it('always is asked three times, and then the answer is `stale`', async () => {
    const bridge = await open([on(definition, undefined, modified)]);
    expectError(await ask(bridge), 'stale', /fake/);
    expect(asked(bridge, definition)).toHaveLength(3);
    expect(bridge.pids()).toHaveLength(1);
    expect((await bridge.call('get_hover', question.input)).isError).toBe(false);
  });

  it('PRO-17 any other error of the server is told, and it is not asked again', async () => {
    const bridge = await open([on(definition, 1, { replyError: { code: -32803, message: 'failed' } })]);
    expectError(
      await ask(bridge),
      'server_unverified',
      /fake answered textDocument\/definition with error -32803/,
    );
    expect(asked(bridge, definition)).toHaveLength(1);
    await expectInOrder(bridge);
  });
});

/** A server that tells that it has loaded, as its definition has it. */
function ready(rules: FakeScript['rules'] = []): FakeScript {
  const progress = (kind: 'begin' | 'end'): Action => ({
    progress: { token: 'loading', kind, title: 'Loading' },
  });
  return { rules: [on('textDocument/didOpen', 1, progress('begin'), progress('end')), ...rules] };
}
