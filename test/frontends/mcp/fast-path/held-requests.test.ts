import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { SdkDeferral } from '../../../../src/frontends/mcp/fast-path/sdk-deferral.ts';

const request = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'subscriptions/listen' });

/** A deferral whose SDK listens; `tell` says of the next request in order why it is refused. */
async function connected() {
  const [heard, sent]: [JSONRPCMessage[], JSONRPCMessage[]] = [[], []];
  const answers: ((refusal: string | undefined) => void)[] = [];
  const wire: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message),
  };
  const deferral = new SdkDeferral(wire, {
    fastPath: () => undefined,
    callSdk: () => {},
    overhear: (message) => ('id' in message ? new Promise((resolve) => answers.push(resolve)) : undefined),
  });
  deferral.onmessage = (message) => heard.push(message);
  await deferral.start();
  const receive = (message: JSONRPCMessage) => wire.onmessage?.(message);
  const tell = (refusal?: string) => answers.shift()?.(refusal);
  return { receive, tell, heard, sent, end: () => wire.onclose?.() };
}

describe('a request of which it is not known at once whether it is refused', () => {
  it('reaches the SDK when it is not', async () => {
    const { receive, tell, heard, sent } = await connected();
    receive(request(1));
    expect(heard).toEqual([]);
    tell();
    await expect.poll(() => heard).toEqual([request(1)]);
    expect(sent).toEqual([]);
  });

  it('is answered with the reason when it is', async () => {
    const { receive, tell, heard, sent } = await connected();
    receive(request(1));
    tell('Too many.');
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent).toMatchObject([{ id: 1, error: { code: -32602, message: 'Too many.' } }]);
    expect(heard).toEqual([]);
  });

  it('has no answer and does not reach the SDK if it is cancelled, or the client goes, meanwhile', async () => {
    const { receive, tell, heard, sent, end } = await connected();
    receive(request(1));
    receive(request(2));
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    tell();
    tell();
    await expect.poll(() => heard).toEqual([request(2)]);
    receive(request(3));
    end();
    tell('Too many.');
    await new Promise((resolve) => setImmediate(resolve));
    expect([heard, sent]).toEqual([[request(2)], []]);
  });
});
