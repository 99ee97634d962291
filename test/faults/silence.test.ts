import { describe, expect, it } from 'vitest';
import { until, within } from '../../src/core/call.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestBridge,
} from '../test-bridge.ts';
import { closedGate } from './gate.ts';

const method = 'textDocument/definition';
const first = (...actions: Action[]): FakeScript => ({ rules: [{ on: { method, nth: 1 }, do: actions }] });
/** Long enough for a healthy answer on a busy machine, short enough to be waited for. */
const deadline = 2_000;

/** Asks something else until the server is up, so that the deadline is not spent on its start. */
async function warm(bridge: TestBridge): Promise<void> {
  while ((await bridge.call('get_hover', question.input)).isError);
}

const cancelled = (bridge: TestBridge) => {
  const received = bridge.received();
  const asked = received.find((message) => message.method === method);
  return received.filter(
    (message) =>
      message.method === '$/cancelRequest' &&
      JSON.stringify(message.params) === JSON.stringify({ id: asked?.id }),
  );
};

describe('a server that does not reply', () => {
  it('RES-12 PRC-07 times out at the deadline, is told so, and answers the next call', async () => {
    const bridge = await openTestBridge({ deadline, servers: { fake: { lives: [first({ never: true })] } } });
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out', /2 s/);
    await expectInOrder(bridge);
    expect(cancelled(bridge)).toHaveLength(1);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('PRC-07 a reply after the deadline harms nobody', async () => {
    const late = first({ waitFor: '$/cancelRequest' }, { replyValue: [] });
    const bridge = await openTestBridge({ deadline, servers: { fake: { lives: [late] } } });
    await warm(bridge);
    expectError(await ask(bridge), 'timed_out');
    await expectInOrder(bridge);
    const replies = bridge.traced.all.filter(
      ({ direction, message }) =>
        direction === 'from_server' && JSON.stringify(message).includes('"result":[]'),
    );
    expect(replies).toHaveLength(1);
  });

  it('PRC-07 a reply that comes twice counts once', async () => {
    const bridge = await openTestBridge({ servers: { fake: { lives: [first({ replyTwice: true })] } } });
    await expectInOrder(bridge);
    await expectInOrder(bridge);
  });

  it('RES-12 a caller who gives up gets `cancelled`, and the server is told', async () => {
    const bridge = await openTestBridge({ servers: { fake: { lives: [first({ never: true })] } } });
    const caller = new AbortController();
    const asked = ask(bridge, { signal: caller.signal });
    await bridge.sent(method);
    caller.abort();
    expect((await asked).data).toMatchObject({ error: { code: 'cancelled' } });
    await expectInOrder(bridge);
    expect(cancelled(bridge)).toHaveLength(1);
  });

  it('a caller who gave up before the call gets `cancelled`, and nothing is started', async () => {
    const bridge = await openTestBridge();
    expect((await ask(bridge, { signal: AbortSignal.abort() })).data).toMatchObject({
      error: { code: 'cancelled' },
    });
    expect(bridge.pids()).toEqual([]);
    await expectInOrder(bridge);
  });

  it('a caller who gives up takes nobody along who asks the same', async () => {
    const held: FakeScript = {
      rules: [
        { on: { method: 'textDocument/documentSymbol', nth: 1 }, do: [{ waitFor: '$/cancelRequest' }] },
      ],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [held] } } });
    const byName = { file_path: 'a.txt', symbol_name: 'alpha' };
    const caller = new AbortController();
    const leaving = bridge.call('find_definition', byName, { signal: caller.signal });
    await bridge.sent('textDocument/documentSymbol');
    const staying = bridge.call('find_definition', byName);
    await bridge.call('get_server_status', {});
    caller.abort();
    expect((await leaving).data).toMatchObject({ error: { code: 'cancelled' } });
    expect((await staying).data).toMatchObject(question.answer);
  });
});

it('what a call no longer waits for may fail, and nobody hears of it', async () => {
  let fail = (_reason: Error) => {};
  const event = new Promise<void>((_resolve, reject) => {
    fail = reject;
  });
  await expect(until(event, AbortSignal.abort('ended'))).rejects.toBe('ended');
  await expect(within(event, 1_000, AbortSignal.abort('ended'))).rejects.toBe('ended');
  // A rejection that nobody handles fails the run.
  fail(new Error('The server has ended.'));
  await new Promise((resolve) => setImmediate(resolve));
});

describe('PRC-21 a server that is slow to start', () => {
  const mute: FakeScript = { rules: [{ on: { method: 'initialize' }, do: [{ never: true }] }] };

  it('is told as `starting`, with the time so far and the time it has, and answers once it is up', async () => {
    const gate = closedGate();
    const bridge = await openTestBridge({ deadline, servers: { fake: { before: gate.wait } } });
    const reports: string[] = [];
    const outcome = await ask(bridge, { report: (message) => reports.push(message) });
    expectError(outcome, 'starting', /fake has been starting for \d+ s/, /30 s/);
    expect(outcome.data).toMatchObject({ error: { retryable: true } });
    expect(reports).toContain('Starting fake');
    expect((await bridge.call('get_server_status', {})).data).toMatchObject({
      servers: [{ state: 'starting' }],
    });
    gate.open();
    await bridge.sent('initialized');
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('is ended when it needs longer than it may', async () => {
    const lives = [mute, {}];
    const bridge = await openTestBridge({ servers: { fake: { lives, initializeTimeout: 1_000 } } });
    expectError(await ask(bridge), 'server_crashed', /fake did not answer within 1 s/);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });
});
