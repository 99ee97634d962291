import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/frontends/mcp/call-tool.ts';
import { makeFastPath } from '../../../src/frontends/mcp/fast-path/fast-path.ts';
import { SdkDeferral } from '../../../src/frontends/mcp/fast-path/sdk-deferral.ts';
import { makeOffer } from '../../../src/frontends/mcp/offer.ts';
import { mcpServer } from '../../../src/frontends/mcp/sdk/mcp-server.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { withSeed } from '../../with-seed.ts';

const [surface] = catalogue;
if (!surface) throw new Error('no surface');
const offer = makeOffer(surface, { toolsets: [], readOnly: false, output: 'auto' });

/** A client's end of a connection in this process. */
class MemoryWire implements Transport {
  onmessage?: Transport['onmessage'];
  readonly sent: JSONRPCMessage[] = [];
  async start(): Promise<void> {}
  async close(): Promise<void> {}
  async send(message: JSONRPCMessage): Promise<void> {
    this.sent.push(message);
  }
  say(message: object): void {
    this.onmessage?.(JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }
}

/** Who takes the calls: the short way for plain ones, or the SDK. */
type Way = 'plain' | 'sdk';

/** Connections that share whoever answers their calls. */
function connect(clients: number, way: Way, answer: (call: ToolCall) => Promise<string>): MemoryWire[] {
  const told = async (call: ToolCall) => ({
    content: [{ type: 'text' as const, text: await answer(call) }],
  });
  return Array.from({ length: clients }, () => {
    const wire = new MemoryWire();
    const nothing = () => {};
    const opening: SdkDeferral = new SdkDeferral(wire, {
      callSdk: () => void serveStdio(() => mcpServer(offer, told), { transport: opening }),
      fastPath: makeFastPath(offer, {
        knowsFiles: () => false,
        ...(way === 'plain' && { callTool: told }),
      }),
      expectCalls: nothing,
      overhear: () => undefined,
    });
    const clientInfo = { name: 'test', version: '1' };
    wire.say({
      id: 'init',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    });
    return wire;
  });
}

/** Whole numbers below a bound, the same ones for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const answersOf = ({ sent }: MemoryWire) =>
  sent.flatMap((message) => {
    const { id, result } = JSON.parse(JSON.stringify(message));
    return typeof id === 'number' ? [{ id, text: result.content[0].text }] : [];
  });

/** Lets everything go on that waits for nothing outside. */
const turns = (count: number): Promise<void> =>
  new Promise((resolve) => (count === 0 ? resolve() : setImmediate(() => resolve(turns(count - 1)))));

describe.each([
  [2, 'plain'],
  [32, 'plain'],
  [2, 'sdk'],
  [32, 'sdk'],
] as const)('TRN-16 %i clients with the same ids and calls in random turns, the %s way', (clients, way) => {
  it('get each its own answers, once, and those that are ready at once in order', async () => {
    const { seed } = withSeed({});
    const random = randomFrom(seed);
    const wires = connect(clients, way, ({ args }) => {
      const { symbol_name: name } = JSON.parse(JSON.stringify(args));
      // Every third call takes its time, of which the others know nothing.
      return turns(name.endsWith('0') ? random(20) : 0).then(() => name);
    });
    const asked = wires.map((): { id: number; text: string }[] => []);
    for (let call = 0; call < 2_000; call++) {
      const client = random(clients);
      const own = asked[client] ?? [];
      const text = `client${client}call${call}${random(3) === 0 ? '0' : '1'}`;
      own.push({ id: own.length + 1, text });
      const params = { name: 'find_definition', arguments: { symbol_name: text } };
      wires[client]?.say({ id: own.length, method: 'tools/call', params });
      if (random(10) === 0) await turns(1);
    }
    const answered = () => wires.reduce((sum, { sent }) => sum + sent.length, 0);
    // Each has also an answer to its handshake.
    while (answered() < 2_000 + clients) await turns(1);
    await turns(2);
    for (const [index, wire] of wires.entries()) {
      const answers = answersOf(wire);
      const own = asked[index] ?? [];
      expect([...answers].sort((a, b) => a.id - b.id)).toEqual(own);
      const atOnce = ({ text }: { text: string }) => text.endsWith('1');
      expect(answers.filter(atOnce)).toEqual(own.filter(atOnce));
    }
  });

  it("cancel their own calls and nobody else's", async () => {
    const ended: string[] = [];
    const wires = connect(clients, way, async ({ args, signal }) => {
      const { symbol_name: name } = JSON.parse(JSON.stringify(args));
      await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
      ended.push(name);
      return name;
    });
    for (const [index, wire] of wires.entries())
      wire.say({
        id: 1,
        method: 'tools/call',
        params: { name: 'find_definition', arguments: { symbol_name: `client${index}` } },
      });
    await turns(2);
    wires[1]?.say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await turns(2);
    expect(ended).toEqual(['client1']);
    expect(wires.flatMap(answersOf)).toEqual([]);
  });
});
