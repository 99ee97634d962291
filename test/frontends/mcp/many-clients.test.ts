import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../src/frontends/mcp/call-tool.ts';
import { makeOffer } from '../../../src/frontends/mcp/offer.ts';
import { Opening } from '../../../src/frontends/mcp/opening.ts';
import { PlainCalls } from '../../../src/frontends/mcp/plain-calls.ts';
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

/** Connections that share whoever answers their calls. */
function connect(clients: number, answer: (call: ToolCall) => Promise<string>): MemoryWire[] {
  return Array.from({ length: clients }, () => {
    const wire = new MemoryWire();
    const calls = new PlainCalls(wire, offer, async (call) => ({
      content: [{ type: 'text', text: await answer(call) }],
    }));
    const nothing = () => {};
    new Opening(wire, offer, {
      callSdk: nothing,
      calls,
      expectCalls: nothing,
      knowsFiles: () => false,
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

describe.each([2, 32])('TRN-16 %i clients with the same ids and calls in random turns', (clients) => {
  it('get each its own answers, once, and those that are ready at once in order', async () => {
    const { seed } = withSeed({});
    const random = randomFrom(seed);
    const turns = (count: number): Promise<void> =>
      new Promise((resolve) => (count === 0 ? resolve() : setImmediate(() => resolve(turns(count - 1)))));
    const running: Promise<unknown>[] = [];
    const wires = connect(clients, ({ args }) => {
      const { symbol_name: name } = JSON.parse(JSON.stringify(args));
      // Every third call takes its time, of which the others know nothing.
      const done = turns(name.endsWith('0') ? random(20) : 0).then(() => name);
      running.push(done);
      return done;
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
    await Promise.all(running);
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
    const wires = connect(clients, async ({ args, signal }) => {
      const { symbol_name: name } = JSON.parse(JSON.stringify(args));
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      ended.push(name);
      return name;
    });
    for (const [index, wire] of wires.entries())
      wire.say({
        id: 1,
        method: 'tools/call',
        params: { name: 'find_definition', arguments: { symbol_name: `client${index}` } },
      });
    wires[1]?.say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await new Promise(setImmediate);
    expect(ended).toEqual(['client1']);
    expect(wires.flatMap(answersOf)).toEqual([]);
  });
});
