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
    ['capabilities that are a number', { capabilities: 5 }],
    ['nothing', {}],
  ];
  it.each(replies)('PRO-27 is nothing where the reply to initialize is %s', async (_what, replyValue) => {
    const bridge = await open({ rules: [{ on: { method: 'initialize' }, do: [{ replyValue }] }] });
    expectError(await ask(bridge), 'not_supported', /fake/);
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'ready' }],
    });
  });
});
