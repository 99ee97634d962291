import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import { SerialisedJson } from '../../../../src/core/runtime/serialised-json.ts';
import { StdioTransport } from '../../../../src/frontends/mcp/stdio/stdio-transport.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

async function start() {
  const input = new PassThrough();
  const state = { queued: 0, written: [] as string[], fail: (_: Error) => {}, done: () => {}, closes: 0 };
  const transport = new StdioTransport(input, {
    write: (text, done) => {
      state.written.push(text);
      state.done = () => done();
    },
    onError: (listener) => {
      state.fail = listener;
    },
    queued: () => state.queued,
  });
  transport.onclose = () => {
    state.closes += 1;
  };
  await transport.start();
  return { input, transport, state };
}

test('a message counts as sent when it has left the process', async () => {
  const { transport, state } = await start();
  let sent = false;
  const sending = transport.send(ping).then(() => {
    sent = true;
  });
  expect(state.written).toEqual([`${JSON.stringify(ping)}\n`]);
  await Promise.resolve();
  expect(sent).toBe(false);
  state.done();
  await sending;
  await transport.drained();
});

test('a client that does not read is let go when too much waits for it', async () => {
  const { transport, state } = await start();
  state.queued = limits.stdioQueue;
  const waiting = transport.send(ping);
  expect(state.closes).toBe(0);
  state.queued += 1;
  await expect(transport.send(ping)).rejects.toThrow('unread');
  await transport.closed;
  expect(state.closes).toBe(1);
  state.done();
  await waiting;
});

test('a broken pipe closes the connection once, and a later one is harmless', async () => {
  const { transport, state } = await start();
  state.fail(new Error('EPIPE'));
  state.fail(new Error('EPIPE'));
  await transport.closed;
  expect(state.closes).toBe(1);
  await expect(transport.send(ping)).rejects.toThrow('closed');
});

test('nothing is read after the close', async () => {
  const { input, transport } = await start();
  const heard: unknown[] = [];
  transport.onmessage = (message) => {
    heard.push(message);
    void transport.close();
  };
  input.write(`${JSON.stringify(ping)}\n${JSON.stringify(ping)}\n`);
  await transport.closed;
  expect(heard).toEqual([ping]);
});

test.each([
  { id: 1, text: 'plain', isError: undefined },
  { id: 'x,"structuredContent":0', text: ',"structuredContent":0', isError: true },
  { id: 2, text: '\\",\\"structuredContent":0,"', isError: undefined },
])(
  'data that is JSON already is put in its place as it is, whatever $text says',
  async ({ id, text, isError }) => {
    const { transport, state } = await start();
    const data = { references: [{ path: 'a.ts', note: '$& $1 "é" \u2028' }], total: 1 };
    const around = { content: [{ type: 'text', text }], structuredContent: data, isError } as const;
    const message = (structuredContent: typeof data | SerialisedJson) =>
      ({ result: { ...around, structuredContent }, jsonrpc: '2.0', id }) as const;
    void transport.send(message(new SerialisedJson(JSON.stringify(data))));
    expect(state.written).toEqual([`${JSON.stringify(message(data))}\n`]);
    // Elsewhere it is serialised like the object that it stands for.
    expect(JSON.stringify(new SerialisedJson(JSON.stringify(data)))).toBe(JSON.stringify(data));
  },
);
