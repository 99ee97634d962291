import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { Exchange, HttpReply } from '../../../src/frontends/http/exchange.ts';
import { refusalBody, refusals } from '../../../src/frontends/http/refusals.ts';
import type { AnsweredRequest } from '../../../src/frontends/http/request-record.ts';
import { eventually, readAll, readUntil, startDoor, statuses } from './start-http-server.ts';

const closing = { Connection: 'close' };

describe('requests in flight', () => {
  it('32 of one token are served, and one more is told to wait, while another token is served', async () => {
    const held = gate();
    const door = await startDoor({ serve: () => held.opened.then(() => ({ status: 200, body: 'held' })) });
    const calls = Array.from({ length: 32 }, () => door.exchange(door.post(closing)));
    await eventually(() => door.counts().calls).toBe(32);
    const refused = await door.exchange(door.post(closing));
    expect(statuses(refused)).toEqual([429]);
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    const other = door.exchange(door.post({ ...closing, Authorization: 'Bearer two' }));
    await eventually(() => door.counts().calls).toBe(33);
    held.open();
    expect((await Promise.all([...calls, other])).flatMap(statuses)).toEqual(Array(33).fill(200));
    expect(door.counts().calls).toBe(0);
  });

  it('as many as allowed are served in all, and one more is told to wait', async () => {
    const held = gate();
    const door = await startDoor({
      serve: () => held.opened.then(() => ({ status: 200, body: 'held' })),
      limits: { inFlight: 3 },
    });
    const tokens = ['one', 'two', 'one'];
    const calls = tokens.map((token) =>
      door.exchange(door.post({ ...closing, Authorization: `Bearer ${token}` })),
    );
    await eventually(() => door.counts().calls).toBe(3);
    const refused = await door.exchange(door.post(closing));
    expect(statuses(refused)).toEqual([503]);
    expect(refused).toContain('\r\nRetry-After: 1\r\n');
    held.open();
    expect((await Promise.all(calls)).flatMap(statuses)).toEqual([200, 200, 200]);
    expect(statuses(await door.exchange(door.post(closing)))).toEqual([200]);
  });

  it('a place is free again once its client has gone', async () => {
    const door = await startDoor({ serve: untilGone, limits: { inFlight: 1 } });
    const socket = await door.connect();
    socket.write(door.post());
    await eventually(() => door.counts().calls).toBe(1);
    socket.destroy();
    await eventually(() => door.counts().calls).toBe(0);
    expect(door.served[0]?.gone.aborted).toBe(true);
  });

  it('all that a client sent in one breath ends when it goes', async () => {
    const door = await startDoor({ serve: untilGone });
    const socket = await door.connect();
    socket.write(door.post().repeat(20));
    await eventually(() => door.served.length).toBe(20);
    socket.destroy();
    await eventually(() => door.counts().calls).toBe(0);
    expect(door.served.every(({ gone }) => gone.aborted)).toBe(true);
  });
});

describe('replies', () => {
  it('the headers and the status of a reply are written, beside those of every answer', async () => {
    const door = await startDoor({ serve: async () => ({ status: 202, headers: { 'X-Mark': 'a' } }) });
    const answer = await door.exchange(door.post(closing));
    expect(statuses(answer)).toEqual([202]);
    expect(answer).toContain('\r\nX-Mark: a\r\n');
    expect(answer).toContain('\r\nCache-Control: no-store\r\n');
    expect(answer).toContain('\r\nContent-Length: 0\r\n');
  });

  it('an answer of as many bytes as allowed is sent, one more becomes an error with the id', async () => {
    const door = await startDoor({
      serve: async ({ body }) => ({ status: 200, body: 'é'.repeat(Number(Object(body).params)) }),
      limits: { response: 1_000, envelope: 0 },
    });
    const ask = (id: unknown, size: number) =>
      door.exchange(door.post(closing, JSON.stringify({ id, params: size })));
    expect(statuses(await ask(1, 500))).toEqual([200]);
    for (const [id, told] of [
      [7, 7],
      ['seven', 'seven'],
      [{ a: 1 }, null],
      ['\n'.repeat(500), null],
    ] as const) {
      const answer = await ask(id, 501);
      expect(statuses(answer)).toEqual([500]);
      expect(bodyOf(answer)).toBe(refusalBody(refusals.response, told));
    }
  });

  it('a failure behind the door is told without what failed, and logged', async () => {
    const logged: unknown[] = [];
    const log = (...entry: unknown[]) => void logged.push(entry);
    const door = await startDoor({ serve: () => Promise.reject(new Error('secret')), log });
    const answer = await door.exchange(door.post(closing));
    expect(bodyOf(answer)).toBe(refusalBody(refusals.fault));
    expect(logged).toMatchObject([['error', 'http.failed', { cause: { message: 'secret' } }]]);
  });

  it('metrics that fail, and headers that cannot be written, are failures as well', async () => {
    const door = await startDoor({
      metrics: () => Promise.reject(new Error('secret')),
      serve: async () => ({ status: 200, headers: { 'X-Mark': 'a\r\nb' }, body: '' }),
    });
    expect(statuses(await door.exchange(door.get('/metrics', closing)))).toEqual([500]);
    expect(statuses(await door.exchange(door.post(closing)))).toEqual([500]);
    expect(door.counts().calls).toBe(0);
  });

  it('tokens that fail let nobody in, and the door goes on', async () => {
    const fault = () => {
      throw new Error('fault');
    };
    const door = await startDoor({
      tokens: { tokenIdOf: fault, confirmed: () => undefined, onRevoked: () => () => {}, close: () => {} },
    });
    expect(await door.exchange(door.post())).toBe('');
    expect(statuses(await door.exchange(door.get('/healthz', closing)))).toEqual([200]);
  });

  it('every request is told of once it is over, with nothing that it carried', async () => {
    const told: AnsweredRequest[] = [];
    const door = await startDoor({ onAnswered: (answered) => void told.push(answered) });
    await door.exchange(door.post(closing));
    await door.exchange(door.get('/healthz', closing));
    await door.exchange(door.get('/metrics', { ...closing, Authorization: null }));
    await door.exchange(door.get('/nothing', closing));
    await door.exchange(`SECRET ${door.post().slice(5)}`);
    expect(told).toMatchObject([
      { route: 'endpoint', method: 'POST', status: 200, bytesIn: 40, bytesOut: 11 },
      { route: 'healthz', method: 'GET', status: 200 },
      { route: 'metrics', method: 'GET', status: 401 },
      { route: 'none', method: 'GET', status: 404 },
      { route: 'none', method: 'other', status: 400 },
    ]);
  });

  it('a request whose client goes before it is answered is told of once, with no status', async () => {
    const told: AnsweredRequest[] = [];
    const door = await startDoor({ serve: untilGone, onAnswered: (answered) => void told.push(answered) });
    const socket = await door.connect();
    socket.write(door.post());
    await eventually(() => door.served.length).toBe(1);
    socket.destroy();
    await eventually(() => told).toMatchObject([{ route: 'endpoint', status: 0 }]);
  });
});

describe('streams', () => {
  it('what a stream says is written when it says it', async () => {
    const source = stream();
    const door = await startDoor({ serve: async () => ({ status: 200, body: source.body }) });
    const socket = await door.connect();
    socket.write(door.get('/mcp', closing));
    await readUntil(socket, '\r\n\r\n');
    source.say('first');
    await readUntil(socket, 'first');
    const rest = readAll(socket);
    source.say('second');
    source.end();
    expect(await rest).toContain('second');
    expect(door.counts()).toMatchObject({ calls: 0, streams: 0 });
  });

  it('a stream is cancelled when its client goes', async () => {
    const source = stream();
    const door = await startDoor({ serve: async () => ({ status: 200, body: source.body }) });
    const socket = await door.connect();
    socket.write(door.post());
    await readUntil(socket, '\r\n\r\n');
    socket.destroy();
    await source.cancelled;
    await eventually(() => door.counts().calls).toBe(0);
  });

  it('a stream that fails ends its connection, so that nobody takes it for whole', async () => {
    const source = stream();
    const door = await startDoor({ serve: async () => ({ status: 200, body: source.body }) });
    const socket = await door.connect();
    socket.write(door.post());
    await readUntil(socket, '\r\n\r\n');
    const rest = readAll(socket);
    source.fail();
    expect(await rest).not.toContain('0\r\n\r\n');
  });

  it('a stream waits for a client that does not read, and ends with its patience', async () => {
    let pulled = 0;
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const piece = new Uint8Array(64 * 1024);
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          pulled++;
          controller.enqueue(piece);
        },
        cancel,
      });
    const door = await startDoor({
      serve: async () => ({ status: 200, body: body() }),
      limits: { writeTime: 50 },
    });
    await door.connectUnread(door.post());
    await cancelled;
    // What fits between the two ends of a connection is some megabytes; without an end it would go on.
    expect(pulled).toBeLessThan(1_000);
    await eventually(() => door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
  });

  it('the streams of GET, and others that last, are counted apart from calls, up to their own bound', async () => {
    const sources: ReturnType<typeof stream>[] = [];
    const serve = async ({ method }: Exchange): Promise<HttpReply> => {
      const source = stream();
      sources.push(source);
      return { status: 200, body: source.body, streaming: method === 'POST' };
    };
    const told: AnsweredRequest[] = [];
    const onAnswered = (answered: AnsweredRequest) => void told.push(answered);
    const door = await startDoor({ serve, onAnswered, limits: { streams: 2, inFlight: 1 } });
    const sockets = await Promise.all([door.connect(), door.connect()]);
    sockets[0]?.write(door.get('/mcp', {}));
    await eventually(() => door.counts()).toMatchObject({ calls: 0, streams: 1 });
    sockets[1]?.write(door.post());
    await eventually(() => door.counts()).toMatchObject({ calls: 0, streams: 2 });
    const refused = await door.exchange(door.get('/mcp', closing));
    expect(bodyOf(refused)).toBe(refusalBody(refusals.streams));
    await sources[2]?.cancelled;
    sockets[0]?.destroy();
    await eventually(() => door.counts()).toMatchObject({ calls: 0, streams: 1 });
    await sources[0]?.cancelled;
    expect(told.map(({ status, lasting = false }) => ({ status, lasting }))).toEqual([
      { status: 503, lasting: false },
      { status: 200, lasting: true },
    ]);
  });
});

it('a token that has as many streams as it may leaves room for those of another', async () => {
  const serve = async (): Promise<HttpReply> => ({ status: 200, body: stream().body });
  const door = await startDoor({ serve, limits: { streams: 3, streamsOfToken: 2 } });
  for (const count of [1, 2]) {
    const socket = await door.connect();
    socket.write(door.get('/mcp'));
    await eventually(() => door.counts().streams).toBe(count);
  }
  expect(bodyOf(await door.exchange(door.get('/mcp', closing)))).toBe(refusalBody(refusals.streams));
  const other = await door.connect();
  other.write(door.get('/mcp', { Authorization: 'Bearer two' }));
  await eventually(() => door.counts().streams).toBe(3);
});

describe('a token that ceases to hold', () => {
  it('TRN-33: ends its streams and its calls at once, and those of no other', async () => {
    const door = await startDoor({
      serve: (exchange) =>
        exchange.method === 'GET'
          ? Promise.resolve({ status: 200, body: stream().body })
          : untilGone(exchange),
    });
    const [watching, calling, other] = await Promise.all([door.connect(), door.connect(), door.connect()]);
    watching.write(door.get('/mcp'));
    calling.write(door.post());
    other.write(door.get('/mcp', { Authorization: 'Bearer two' }));
    await eventually(() => door.counts()).toMatchObject({ calls: 1, streams: 2 });
    const ended = Promise.all([once(watching.resume(), 'close'), once(calling.resume(), 'close')]);
    door.revoke('one');
    await ended;
    expect(door.served.filter(({ gone }) => gone.aborted).map(({ tokenId }) => tokenId)).toEqual([
      'one',
      'one',
    ]);
    await eventually(() => door.counts()).toEqual({ calls: 0, streams: 1, sockets: 1 });
    expect(statuses(await door.exchange(door.post(closing)))).toEqual([401]);
  });

  it.each(['/mcp', '/metrics'])(
    'TRN-33: before it is confirmed has nothing done for it at %s',
    async (path) => {
      let revoke = (_holder: string) => {};
      const metrics = vi.fn(() => '');
      const door = await startDoor({
        metrics,
        tokens: {
          tokenIdOf: () => 'one',
          confirmed: async () => revoke('one'),
          onRevoked: (listener) => {
            revoke = listener;
            return () => {};
          },
          close: () => {},
        },
      });
      const asked = path === '/mcp' ? door.post() : door.get(path);
      expect(await door.exchange(asked)).toBe('');
      expect([door.served, metrics.mock.calls]).toEqual([[], []]);
      await eventually(() => door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
    },
  );
});

it('TRN-17: one that hangs up before its token is confirmed is served all the same', async () => {
  let confirm = () => {};
  const confirming = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const tokens = {
    tokenIdOf: () => 'one',
    confirmed: () => confirming,
    onRevoked: () => () => {},
    close: () => {},
  };
  const door = await startDoor({ tokens });
  const socket = await door.connect();
  socket.write(door.post());
  await eventually(() => door.counts().calls).toBe(1);
  socket.destroy();
  await eventually(() => door.counts().calls).toBe(0);
  expect(door.served).toEqual([]);
  confirm();
  await eventually(() => door.served.length).toBe(1);
});

describe('closing', () => {
  it('lets calls that end in time be answered, and ends streams', async () => {
    const source = stream();
    const door = await startDoor({
      serve: async (exchange) =>
        exchange.method === 'GET'
          ? { status: 200, body: source.body }
          : untilGone(exchange).catch(() => ({ status: 200, body: 'in time' })),
    });
    const [calling, watching] = await Promise.all([door.connect(), door.connect()]);
    calling.write(door.post());
    watching.write(door.get('/mcp'));
    await eventually(() => door.counts()).toMatchObject({ calls: 1, streams: 1 });
    const answers = Promise.all([readAll(calling), readAll(watching)]);
    await door.close();
    const [called, watched] = await answers;
    expect(called).toContain('in time');
    expect(watched.endsWith('0\r\n\r\n')).toBe(true);
    await source.cancelled;
  });

  it('does not wait for those that do not end', async () => {
    const door = await startDoor({ serve: () => new Promise(() => {}), limits: { leaving: 20 } });
    const socket = await door.connect();
    socket.write(door.post());
    await eventually(() => door.counts().calls).toBe(1);
    const all = readAll(socket);
    await door.close();
    expect(await all).toBe('');
    expect(door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
  });

  it('refuses what still comes on a connection that is in use', async () => {
    const held = gate();
    const door = await startDoor({ serve: () => held.opened.then(() => ({ status: 200, body: '' })) });
    const socket = await door.connect();
    socket.write(door.post());
    await eventually(() => door.counts().calls).toBe(1);
    const all = readAll(socket);
    const closed = door.close();
    await new Promise<void>((resolve) => void socket.write(door.post(), () => resolve()));
    held.open();
    await closed;
    expect(statuses(await all)[0]).toBe(200);
    expect(door.served).toHaveLength(1);
  });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** A stream that says what it is told to, and tells when it was cancelled. */
function stream() {
  let cancel = () => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  let inner: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      inner = controller;
    },
    cancel: () => cancel(),
  });
  return {
    body,
    cancelled,
    say: (text: string) => inner?.enqueue(Buffer.from(text)),
    end: () => inner?.close(),
    fail: () => inner?.error(new Error('failed')),
  };
}

function untilGone({ gone }: Exchange): Promise<HttpReply> {
  return new Promise((_, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason));
  });
}

function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}
