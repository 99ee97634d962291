import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { ask, expectError, openTestBridge, type TestBridge } from '../test-bridge.ts';

const { crashes } = limits.restart;

it('PRC-02 a server that crashes at each start is left alone after five times, and every call says so at once', async () => {
  const bridge = await openTestBridge({
    servers: { fake: { before: 'echo "$$" >> "$0"; echo bang >&2; exit 3' } },
  });
  for (let crash = 1; crash <= crashes; crash += 1)
    expectError(await ask(bridge), 'server_crashed', /code 3/);
  await expectLeftAlone(bridge);
});

it('PRC-02 a server that crashes at each question is left alone after five times', async () => {
  const script = { rules: [{ on: { method: 'textDocument/definition' }, do: [{ exit: { code: 6 } }] }] };
  const bridge = await openTestBridge({ servers: { fake: { lives: [script] } } });
  while (bridge.pids().length < crashes) expectError(await ask(bridge), 'server_crashed', /code 6/);
  await expectLeftAlone(bridge);
});

async function expectLeftAlone(bridge: TestBridge): Promise<void> {
  const started = bridge.pids();
  expect(started).toHaveLength(crashes);
  for (let call = 0; call < 3; call += 1) {
    expectError(
      await ask(bridge),
      'server_crashed',
      /fake crashed 5 times/,
      /can restart in \d+ s/,
      /code \d/,
    );
  }
  expect(bridge.pids()).toEqual(started);
  const { data, text } = await bridge.call('get_server_status', {});
  expect(data).toMatchObject({ servers: [{ id: 'fake', state: 'crashed', restarts: crashes }] });
  expect(text).toMatch(/code \d/);
  expect(text).toMatch(/can restart in \d+ s/);
}
