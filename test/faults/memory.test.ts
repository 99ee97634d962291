import { expect, it, vi } from 'vitest';
import { defaultConfig } from '../../src/config/default-config.ts';
import { limits } from '../../src/core/limits.ts';
import type { FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

vi.mock('../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/core/limits.ts')>();
  return { limits: { ...limits, memoryCheckEvery: 50 } };
});

const MiB = 1024 * 1024;
const patience = { timeout: 120_000 };
const config = { limits: { ...defaultConfig.limits, memory: 200 * MiB } };
const hog: FakeScript = {
  rules: [
    { on: { method: 'textDocument/definition' }, do: [{ allocate: { megabytes: 250 } }, { never: true }] },
  ],
};

it(
  'PRC-11 a server that takes more memory than it may is ended, the call is told, and the next one answered',
  patience,
  async () => {
    const bridge = await openTestBridge({ config, servers: { fake: { lives: [hog, {}] } } });
    const outcome = await ask(bridge);
    expectError(
      outcome,
      'memory_limit',
      /fake and its child processes used \d{3,} MB of memory \(limit: 200 MB\)/,
    );
    expect(outcome.data).toMatchObject({
      error: { retryable: true, next_step: expect.stringContaining('memory_mb') },
    });
    expect(bridge.pids()).toHaveLength(1);
    // That it is being ended is told at once, how it ended when it has.
    const status = async () => (await bridge.call('get_server_status', {})).data;
    const ended = { state: 'crashed', restarts: 1, last_exit: { how: 'signal SIGKILL' } };
    await expect.poll(status).toMatchObject({ servers: [ended] });
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  },
);

it('PRC-11 what a server started counts too', patience, async () => {
  const before = `"$1" -e 'globalThis.held = Buffer.alloc(250 * 1024 * 1024, 1); setInterval(() => {}, 1e9)' &`;
  const held: FakeScript = { rules: [{ on: { method: 'textDocument/definition' }, do: [{ never: true }] }] };
  const bridge = await openTestBridge({ config, servers: { fake: { lives: [held], before } } });
  expectError(await ask(bridge), 'memory_limit');
});

it('PRC-11 a server that does so again and again is left alone', patience, async () => {
  const bridge = await openTestBridge({ config, servers: { fake: { lives: [hog] } } });
  for (let crash = 1; crash <= limits.restart.crashes; crash += 1)
    expectError(await ask(bridge), 'memory_limit');
  expectError(await ask(bridge), 'server_crashed', /can restart in \d+ s/, /limit: 200 MB/);
  expect(bridge.pids()).toHaveLength(limits.restart.crashes);
});

it('PRC-11 a server below its limit is never touched', patience, async () => {
  const bridge = await openTestBridge({ config });
  await expectInOrder(bridge);
  const status = async () => (await bridge.call('get_server_status', {})).data.servers;
  for (let look = 0; look < 5; look += 1) {
    expect(await status()).toMatchObject([{ state: 'running', memory_mb: expect.any(Number) }]);
    await bridge.call('get_hover', question.input);
  }
  expect(bridge.pids()).toHaveLength(1);
});
