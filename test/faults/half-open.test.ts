import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

const method = 'textDocument/definition';
const patience = { timeout: 120_000 };
const closed: Action = { notify: { method: '$/closed' } };
const once = (...actions: Action[]): FakeScript => ({ rules: [{ on: { method, nth: 1 }, do: actions }] });

describe('PRC-10 a server that closes a pipe and lives on', () => {
  it(
    'its stdout: it is ended, that counts as a crash, and the call is answered by a new one',
    patience,
    async () => {
      const bridge = await openTestBridge({
        servers: { fake: { lives: [once({ closeStream: 'stdout' }, { never: true }), {}] } },
      });
      expect((await ask(bridge)).data).toMatchObject({
        doubts: [{ kind: 'server_restarted' }],
        ...question.answer,
      });
      const { data, text } = await bridge.call('get_server_status', {});
      expect(data).toMatchObject({ servers: [{ state: 'running', restarts: 1 }] });
      expect(text).toMatch(/fake closed its stdout while still running/);
      expect(text).toMatch(/last exit: signal SIGKILL/);
      await expectInOrder(bridge);
      expect(bridge.pids()).toHaveLength(2);
    },
  );

  it('its stdin: the next that is written to it shows that, and the same happens', patience, async () => {
    const bridge = await openTestBridge({
      servers: { fake: { lives: [once({ closeStream: 'stdin' }, closed, { never: true }), {}] } },
    });
    const caller = new AbortController();
    const asked = ask(bridge, { signal: caller.signal });
    await bridge.traced.nth(({ message }) => JSON.stringify(message).includes('$/closed'));
    caller.abort();
    await asked;
    expect((await bridge.call('get_hover', question.input)).data).toMatchObject({
      hover: { text: expect.stringContaining('alpha') },
    });
    expect((await bridge.call('get_server_status', {})).text).toMatch(/fake closed its stdin while/);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it('its stderr: nobody minds', patience, async () => {
    const bridge = await openTestBridge({ servers: { fake: { lives: [once({ closeStream: 'stderr' })] } } });
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('its stdout before it is up: that is told at once', patience, async () => {
    const never: FakeScript = {
      rules: [{ on: { method: 'initialize' }, do: [{ closeStream: 'stdout' }, { never: true }] }],
    };
    const bridge = await openTestBridge({
      servers: { fake: { lives: [never, {}], initializeTimeout: 900_000 } },
    });
    expectError(await ask(bridge), 'server_crashed', /closed its stdout/);
    await expectInOrder(bridge);
  });
});
