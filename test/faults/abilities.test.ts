import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

const open = (script: FakeScript) => openTestBridge({ servers: { fake: { lives: [script] } } });
const definition = 'textDocument/definition';
const registration = { id: 'later', method: definition, registerOptions: {} };
const register: Action = {
  request: { method: 'client/registerCapability', params: { registrations: [registration] } },
};
const unregister: Action = {
  request: { method: 'client/unregisterCapability', params: { unregisterations: [registration] } },
};

describe('what a server can do', () => {
  it('and did not announce is told as not supported, and it is not asked', async () => {
    const bridge = await open({ capabilities: { definitionProvider: null } });
    expectError(await ask(bridge), 'not_supported', /fake does not answer definition questions/);
    expect(bridge.received().map(({ method }) => method)).not.toContain(definition);
    expect((await bridge.call('get_hover', question.input)).isError).toBe(false);
  });

  it('PRO-15 may be announced after the handshake', async () => {
    const later: FakeScript = {
      capabilities: { definitionProvider: null },
      rules: [{ on: { method: 'initialized' }, do: [register] }],
    };
    await expectInOrder(await open(later));
  });

  it('PRO-15 may be taken back, and then is not asked for any more', async () => {
    const bridge = await open({
      capabilities: { definitionProvider: null },
      rules: [
        { on: { method: 'initialized' }, do: [register] },
        { on: { method: 'textDocument/hover' }, do: [unregister] },
      ],
    });
    await expectInOrder(bridge);
    expect((await bridge.call('get_hover', question.input)).isError).toBe(false);
    expectError(await ask(bridge), 'not_supported', /fake/);
  });

  it('and announces without knowing the method is told as not supported', async () => {
    const unknown: Action = { replyError: { code: -32601, message: 'unknown method' } };
    const bridge = await open({ rules: [{ on: { method: definition }, do: [unknown] }] });
    expectError(await ask(bridge), 'not_supported', /fake/);
  });

  const replies: readonly [string, unknown][] = [
    ['null', null],
    ['a text', 'ready'],
    ['a list', []],
    ['a number', 7],
    ['capabilities that are a number', { capabilities: 5 }],
    ['capabilities that are a list', { capabilities: ['definitionProvider'] }],
    ['capabilities of null', { capabilities: null }],
    ['nothing', {}],
  ];
  it.each(replies)('PRO-27 is nothing where the reply to initialize is %s', async (_what, replyValue) => {
    const bridge = await open({ rules: [{ on: { method: 'initialize' }, do: [{ replyValue }] }] });
    expectError(await ask(bridge), 'not_supported', /fake/);
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'running' }],
    });
  });
});

describe('PRO-27 a handshake', () => {
  const able = { definitionProvider: true, documentSymbolProvider: true };
  const atInitialize = (...actions: Action[]): FakeScript => ({
    rules: [{ on: { method: 'initialize' }, do: actions }],
  });

  it.each<[string, Record<string, unknown>]>([
    ['of wrong types where nothing depends on them', { ...able, hoverProvider: [], textDocumentSync: 'x' }],
    ['with a key of the prototype', { ...able, constructor: true, toString: 7 }],
    ['of ten megabytes', { ...able, experimental: { words: 'word '.repeat(2_000_000) } }],
    ['of 100,000 keys', { ...able, experimental: manyKeys(100_000) }],
  ])('with capabilities %s is understood', async (_what, capabilities) => {
    const bridge = await open({ capabilities });
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('whose server tells odd things of itself is understood', async () => {
    const reply: Action = { replyValue: { capabilities: able, serverInfo: { name: {}, version: [1] } } };
    const bridge = await open(atInitialize(reply));
    expect((await ask(bridge)).data).toMatchObject({ error: { code: 'server_unverified' } });
  });

  it('that is answered twice counts once', async () => {
    const bridge = await open(atInitialize({ replyTwice: true }));
    await expectInOrder(bridge);
    expect(bridge.received().filter(({ method }) => method === 'initialize')).toHaveLength(1);
  });

  it.each([true, false])(
    'that fails with `retry: %s` is an error with what the server said, and is tried anew',
    async (retry) => {
      const error = { code: 1, message: 'No licence was found.', data: { retry } };
      const bridge = await openTestBridge({
        servers: { fake: { lives: [atInitialize({ replyError: error }), {}] } },
      });
      expectError(
        await ask(bridge),
        'server_crashed',
        /fake answered initialize with error 1: No licence was found/,
      );
      await expectInOrder(bridge);
      expect(bridge.pids()).toHaveLength(2);
    },
  );

  it('that is never answered fails when its time is up, and is tried anew', async () => {
    const lives = [atInitialize({ never: true }), {}];
    const bridge = await openTestBridge({ servers: { fake: { lives, initializeTimeout: 1_500 } } });
    expectError(await ask(bridge), 'server_crashed', /fake did not answer within 1.5 s of its start/);
    await expectInOrder(bridge);
  });
});

function manyKeys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}
