import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SdkDeferral } from '../../../../src/frontends/mcp/fast-path/sdk-deferral.ts';
import { Fixture } from '../start-frontend.ts';

const notification = (method: string, params = {}): JSONRPCMessage => ({ jsonrpc: '2.0', method, params });
const request = (id: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'resources/read',
  params: {},
});
const cancelled = (requestId: unknown) => notification('notifications/cancelled', { requestId });

/** A deferral whose SDK listens, and what reaches the SDK and the client. */
async function connected() {
  const heard: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  let calls = 0;
  const wire: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message),
  };
  const deferral = new SdkDeferral(wire, {
    fastPath: () => undefined,
    callSdk: () => {
      calls += 1;
    },
    overhear: () => undefined,
  });
  deferral.onmessage = (message) => heard.push(message);
  const receive = (...messages: readonly JSONRPCMessage[]) => {
    for (const message of messages) wire.onmessage?.(message);
  };
  return { deferral, receive, heard, sent, calls: () => calls };
}

describe('TRN-27 notifications that nothing acts on', () => {
  it('do not reach the SDK, and do not load it, however many there are', async () => {
    const { deferral, receive, heard, calls } = await connected();
    const unknown = ['notifications/unknown', 'notifications/progress', 'ping', '$/set', ''].map((method) =>
      notification(method),
    );
    for (let round = 0; round < 40_000; round += 1) receive(...unknown);
    expect(calls()).toBe(0);
    await deferral.start();
    for (let round = 0; round < 40_000; round += 1) receive(...unknown);
    expect(heard).toEqual([]);
  });

  it('are told from those that the SDK acts on', async () => {
    const { deferral, receive, heard } = await connected();
    await deferral.start();
    const heeded = [
      notification('notifications/initialized'),
      notification('notifications/roots/list_changed'),
    ];
    receive(...heeded);
    expect(heard).toEqual(heeded);
  });

  it.each(['before', 'after'])(
    'include cancellations of what is not under way %s the SDK listens',
    async (when) => {
      const { deferral, receive, heard } = await connected();
      if (when === 'after') await deferral.start();
      receive(
        cancelled(1),
        request(1),
        cancelled(2),
        cancelled(undefined),
        cancelled('1'),
        cancelled(1),
        cancelled(1),
      );
      if (when === 'before') await deferral.start();
      expect(heard).toEqual([request(1), cancelled(1)]);
    },
  );

  it('include cancellations of what is answered', async () => {
    const { deferral, receive, heard } = await connected();
    await deferral.start();
    receive(request(1));
    await deferral.send({ jsonrpc: '2.0', id: 1, result: {} });
    receive(cancelled(1));
    expect(heard).toEqual([request(1)]);
  });
});

describe('a request after a flood of notifications', () => {
  it('is answered, and the connection goes on', async () => {
    const fixture = new Fixture();
    onTestFinished(() => fixture.close());
    const frontend = fixture.start();
    await frontend.initialize();
    for (let round = 0; round < 10_000; round += 1) frontend.send({ method: 'notifications/unknown' });
    expect(await frontend.request(7, 'ping')).toHaveProperty('result', {});
    expect(await frontend.call(8, 'echo')).toHaveProperty('result.content');
  });
});
