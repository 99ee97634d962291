import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { refusals } from '../../../src/frontends/http/refusals.ts';
import {
  eventually,
  message,
  readAll,
  readUntil,
  startDoor,
  statuses,
  type TestDoor,
} from './start-http-server.ts';

const closing = { Connection: 'close' };

describe('TRN-31: a request whose end is in doubt', () => {
  const smuggled = 'POST /mcp HTTP/1.1\r\nX-Smuggled: yes\r\n\r\n';
  const doubtful: Readonly<Record<string, (door: TestDoor) => string>> = {
    'a length and chunks': (door) =>
      `${door.post({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n')}${smuggled}`,
    'chunks and a length': (door) =>
      `${door.post({ 'Transfer-Encoding': 'chunked', 'content-length': '5' }, '0\r\n\r\n')}${smuggled}`,
    'two lengths': (door) => `${door.post({ 'content-length': '0' })}${smuggled}`,
    'two equal lengths': (door) => `${door.post({ 'content-length': '40' })}${smuggled}`,
    'a length that is no number': (door) => `${door.post({ 'Content-Length': '+40' })}${smuggled}`,
    'a negative length': (door) => `${door.post({ 'Content-Length': '-1' })}${smuggled}`,
    'a length beyond all numbers': (door) => `${door.post({ 'Content-Length': '9'.repeat(30) })}${smuggled}`,
    'lines that end in a bare line feed': (door) => `${door.post().replaceAll('\r\n', '\n')}${smuggled}`,
    'a header that goes on in the next line': (door) => `${door.post({ 'X-Long': 'a\r\n b' })}${smuggled}`,
    'a space before the colon': (door) => `${door.post({ 'Content-Length ': '1' })}${smuggled}`,
    'a header without a name': (door) => `${door.post({ '': 'a' })}${smuggled}`,
    'nothing but a header': () => `X-Odd: a\r\n\r\n${smuggled}`,
    'a carriage return within a header': (door) => `${door.post({ 'X-Odd': 'a\rb' })}${smuggled}`,
    'a zero byte within a header': (door) => `${door.post({ 'X-Odd': 'a\0b' })}${smuggled}`,
    'chunked twice': (door) => `${chunked(door, '0\r\n\r\n', 'chunked, chunked')}${smuggled}`,
    'chunked, but not last': (door) => `${chunked(door, '0\r\n\r\n', 'chunked, gzip')}${smuggled}`,
    'chunks with a space in the name': (door) => `${chunked(door, '0\r\n\r\n', 'chunked\t ,')}${smuggled}`,
    'a chunk whose size is no number': (door) => `${chunked(door, 'zz\r\n{}\r\n0\r\n\r\n')}${smuggled}`,
    'a chunk with a bare line feed': (door) => `${chunked(door, '2\n{}\r\n0\r\n\r\n')}${smuggled}`,
    'a chunk longer than it says': (door) => `${chunked(door, '1\r\n{}\r\n0\r\n\r\n')}${smuggled}`,
    'another version': (door) => `${door.post().replace('HTTP/1.1', 'HTTP/1.2')}${smuggled}`,
    'no version': () => `POST /mcp\r\n\r\n${smuggled}`,
    TLS: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  };
  for (const [name, bytes] of Object.entries(doubtful)) {
    it(`${name}: is refused, the connection closed, and nothing behind it is taken for a request`, async () => {
      const door = await startDoor({ limits: { linger: 1 } });
      const answer = await door.exchange(bytes(door));
      expect([[400], [501]]).toContainEqual(statuses(answer));
      expect(answer).toContain('\r\nConnection: close\r\n');
      expect(door.served).toEqual([]);
    });
  }

  it('extensions of chunks are passed over, as HTTP demands, and hide nothing', async () => {
    const door = await startDoor();
    const body = '2;a=b;c="POST /mcp HTTP/1.1"\r\n{}\r\n0;d\r\n\r\n';
    expect(statuses(await door.exchange(chunked(door, body, 'chunked', closing)))).toEqual([200]);
    expect(door.served).toHaveLength(1);
  });

  it('a coding of the transfer that is not known is refused', async () => {
    const door = await startDoor({ limits: { linger: 1 } });
    const answer = await door.exchange(chunked(door, '0\r\n\r\n', 'gzip, chunked'));
    expect(statuses(answer)).toEqual([refusals.transferEncoding.status]);
  });

  it('what follows a request that said it is the last is passed over', async () => {
    const door = await startDoor();
    const answer = await door.exchange(`${door.post(closing)}${door.post()}garbage`);
    expect(statuses(answer)).toEqual([200]);
    expect(door.served).toHaveLength(1);
  });

  it('what follows a request whose refusal ends the connection is not served', async () => {
    const door = await startDoor({ limits: { linger: 1 } });
    const refused = chunked(door, '0\r\n\r\n', 'chunked', { Authorization: 'Bearer nobody' });
    const socket = await door.connect();
    socket.write(`${refused}${door.post()}${door.post()}`);
    expect(statuses(await readAll(socket))).toEqual([401]);
    expect(door.served).toEqual([]);
  });

  it('1,000 requests in one breath are answered in their order', async () => {
    const door = await startDoor({
      serve: async ({ body }) => ({ status: 200, body: JSON.stringify(body) }),
      limits: { inFlight: 1_000, inFlightOfToken: 1_000 },
    });
    const requests = Array.from({ length: 1_000 }, (_, id) =>
      id === 999 ? door.post(closing, `{"id":${id}}`) : door.post({}, `{"id":${id}}`),
    );
    const answer = await door.exchange(requests.join(''));
    expect([...answer.matchAll(/\{"id":(\d+)\}/g)].map((match) => Number(match[1]))).toEqual(
      Array.from({ length: 1_000 }, (_, id) => id),
    );
    expect(door.counts()).toMatchObject({ calls: 0, streams: 0 });
  });

  it('requests in one breath count like any others: those beyond the bound are told to wait', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const door = await startDoor({ serve: () => held.then(() => ({ status: 200, body: '' })) });
    const socket = await door.connect();
    socket.write(`${door.post().repeat(40)}${door.post(closing)}`);
    const all = readAll(socket);
    await eventually(() => door.served.length).toBe(32);
    release();
    const answered = statuses(await all);
    expect(answered).toHaveLength(41);
    expect(answered.slice(0, 32)).toEqual(Array(32).fill(200));
    expect(new Set(answered.slice(32))).toEqual(new Set([429]));
  });
});

describe('the bounds of a request', () => {
  it('headers of 16 KiB are let in, more are not', async () => {
    const door = await startDoor();
    const bare = door.post({ ...closing, 'X-Fill': '' }, '{}');
    // Node counts the names and values of headers and the target.
    const fits = door.post({ ...closing, 'X-Fill': 'a'.repeat(16_384 - bare.length) }, '{}');
    expect(statuses(await door.exchange(fits))).toEqual([200]);
    const large = door.post({ ...closing, 'X-Fill': 'a'.repeat(16_384) }, '{}');
    expect(statuses(await door.exchange(large))).toEqual([431]);
  });

  it('100 headers are let in, 101 are not', async () => {
    const door = await startDoor();
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`X-${at}`, 'a']));
    const bare = door.post(closing).split('\r\n\r\n')[0]?.split('\r\n').slice(1).length ?? 0;
    expect(statuses(await door.exchange(door.post({ ...closing, ...many(100 - bare) })))).toEqual([200]);
    expect(statuses(await door.exchange(door.post({ ...closing, ...many(101 - bare) })))).toEqual([431]);
  });

  it('a body of as many bytes as allowed is let in, one more is not, announced or in chunks', async () => {
    const door = await startDoor({ limits: { body: 1_000, linger: 1 } });
    const body = (length: number) => JSON.stringify('a'.repeat(length - 2));
    const inChunks = (text: string) =>
      chunked(door, `${[...text].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`, 'chunked', closing);
    expect(statuses(await door.exchange(door.post(closing, body(1_000))))).toEqual([200]);
    expect(statuses(await door.exchange(inChunks(body(1_000))))).toEqual([200]);
    expect(door.served.map((exchange) => exchange.body)).toEqual(Array(2).fill('a'.repeat(998)));
    expect(statuses(await door.exchange(door.post({}, body(1_001))))).toEqual([413]);
    expect(statuses(await door.exchange(inChunks(body(1_001))))).toEqual([413]);
    expect(door.served).toHaveLength(2);
  });

  it('a body that is announced too large is refused before any of it is sent', async () => {
    const door = await startDoor({ limits: { linger: 1 } });
    const [head = ''] = door.post({ 'Content-Length': `${1024 * 1024 + 1}` }).split('{');
    expect(statuses(await door.exchange(head))).toEqual([413]);
  });

  it('whoever is refused and has announced more than may be sent hears so, and is not listened to further', async () => {
    const door = await startDoor({ limits: { linger: 1 } });
    const [head = ''] = door.post({ Authorization: null, 'Content-Length': `${1024 ** 4}` }).split('{');
    expect(statuses(await door.exchange(head))).toEqual([401]);
  });

  it('whoever goes on sending a body without end hears why it ends', async () => {
    const door = await startDoor({ limits: { body: 1_000, linger: 50 } });
    const socket = await door.connect();
    const all = readAll(socket);
    socket.write(chunked(door, ''));
    const piece = `1000\r\n${'a'.repeat(4_096)}\r\n`;
    const pour = () => {
      while (socket.writable && socket.write(piece));
    };
    socket.on('drain', pour);
    pour();
    expect(statuses(await all)).toEqual([413]);
  });

  it('JSON nested as deep as allowed is let in, one level more is not', async () => {
    const door = await startDoor();
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(statuses(await door.exchange(door.post(closing, nested(256))))).toEqual([200]);
    const answer = await door.exchange(door.post(closing, nested(257)));
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('-32600');
    const deepest = await door.exchange(door.post(closing, nested(100_000)));
    expect(deepest).toContain('-32600');
  });

  it('JSON of as many values, and as many in one object, as allowed is let in, one more is not', async () => {
    const door = await startDoor({ limits: { bodyMembers: 10, bodyValues: 100 } });
    const object = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"k,{${index}":[0]`).join(',')}}`;
    const list = (count: number) => `[${Array.from({ length: count }, () => '{}').join(' ,')}]`;
    const bodies = [object(10), object(11), list(50), list(51), `[${object(10)},${object(11)}]`];
    const answers = await Promise.all(bodies.map((body) => door.exchange(door.post(closing, body))));
    expect(answers.flatMap(statuses)).toEqual([200, 400, 200, 400, 400]);
    expect(answers[1]).toContain(refusals.width.message);
  });

  it('a body that is empty, not UTF-8 or not JSON is refused', async () => {
    const door = await startDoor();
    const cases: readonly (readonly [string | Buffer, keyof typeof refusals])[] = [
      ['', 'empty'],
      [' ', 'json'],
      ['{"a":1', 'json'],
      ['{"a":1}{}', 'json'],
      ['\ufeff{}', 'json'],
      [Buffer.from([0x22, 0xff, 0x22]), 'encoding'],
      [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'encoding'],
    ];
    for (const [body, name] of cases) {
      const bytes = Buffer.from(body);
      const head = door.post({ ...closing, 'Content-Length': `${bytes.length}` }, '');
      const answer = await door.exchange(Buffer.concat([Buffer.from(head), bytes]));
      expect(statuses(answer)).toEqual([400]);
      expect(answer).toContain(refusals[name].message);
    }
    expect(door.served).toEqual([]);
  });

  it('a refused request with a short body does not cost its connection', async () => {
    const door = await startDoor();
    const socket = await door.connect();
    const all = readAll(socket);
    const [head = '', body = ''] = door.post({ Authorization: null }).split(/(?=\{)/);
    socket.write(head);
    await readUntil(socket, refusals.token.message);
    socket.write(`${body}${door.post(closing)}`);
    expect(statuses(await all)).toEqual([401, 200]);
  });
});

describe('TRN-30: a client that takes its time', () => {
  it('200 clients that send headers or bodies a byte at a time are closed, while another is served', async () => {
    const door = await startDoor({ limits: { headersTime: 2_000, bodyTime: 2_500, checkEvery: 50 } });
    const slow = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const socket = await door.connect();
        const [head = ''] = door.post({ 'Content-Length': '100000' }).split('{');
        socket.write(at % 2 === 0 ? 'POST /mcp HTTP/1.1\r\nX-Slow: ' : head);
        const timer = setInterval(() => socket.write(at % 2 === 0 ? 'a' : ' '), 20);
        const all = await readAll(socket);
        clearInterval(timer);
        return statuses(all);
      }).concat(
        (async () => {
          // Served while the others are at it, which take the room of their token only.
          return statuses(await door.exchange(door.post({ ...closing, Authorization: 'Bearer two' })));
        })(),
      ),
    );
    expect(slow.pop()).toEqual([200]);
    for (const answered of slow) expect(answered.filter((status) => status !== 429)).toEqual([408]);
    await eventually(() => door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
  });

  it('a connection on which nothing is ever asked is closed', async () => {
    const door = await startDoor({ limits: { headersTime: 20, bodyTime: 20, checkEvery: 10 } });
    const socket = await door.connect();
    expect(statuses(await readAll(socket))).toEqual([408]);
  });

  it('a connection on which nothing more is asked is closed', async () => {
    const door = await startDoor({ limits: { keepAlive: 20 } });
    expect(statuses(await door.exchange(door.post()))).toEqual([200]);
  });

  it('a client that reads nothing of its answer loses its connection', async () => {
    const door = await startDoor({
      serve: async () => ({ status: 200, body: 'a'.repeat(512 * 1024) }),
      limits: { writeTime: 30 },
    });
    await door.connectUnread(door.post().repeat(30));
    await eventually(() => door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
    // It was not closed for resting: the last answer was still to be written.
    expect(door.served.at(-1)?.gone.aborted).toBe(true);
  });

  it('whoever shows no token cannot keep others out by taking all connections', async () => {
    const door = await startDoor({ limits: { sockets: 3 } });
    const known = await door.connect();
    known.write(door.post());
    await readUntil(known, '{"ok":true}');
    const oldest = await door.connect();
    const closed = readAll(oldest);
    oldest.write(door.get('/healthz'));
    await readUntil(oldest, '"status"');
    const next = await door.connect();
    await eventually(() => door.counts().sockets).toBe(3);
    expect(statuses(await door.exchange(door.post(closing)))).toEqual([200]);
    expect(statuses(await closed)).toEqual([200]);
    next.write(door.get('/healthz'));
    await readUntil(next, '"status"');
    known.write(door.post());
    await readUntil(known, '{"ok":true}');
  });

  it('of what a stranger sends in one breath so much is answered, and the rest is passed over', async () => {
    const door = await startDoor({ limits: { requestsOfStranger: 5 } });
    for (const [request, status] of [
      [door.get('/healthz'), 200],
      [door.get('/nothing'), 404],
      [door.post({ Authorization: null }), 401],
    ] as const) {
      const answer = await door.exchange(request.repeat(1_000));
      expect(statuses(answer)).toEqual(Array.from({ length: 5 }, () => status));
      expect(answer.match(/Connection: close/g)).toHaveLength(1);
    }
    const mixed = `${door.get('/nothing').repeat(4)}${door.post()}`;
    const known = await door.exchange(mixed.repeat(3) + door.post(closing));
    expect(statuses(known)).toHaveLength(16);
  });

  it('there are as many connections as allowed, and one more is dropped', async () => {
    const door = await startDoor({ limits: { sockets: 3 } });
    const held = await Promise.all([door.connect(), door.connect(), door.connect()]);
    for (const socket of held) socket.write(door.post());
    await Promise.all(held.map((socket) => readUntil(socket, '{"ok":true}')));
    const dropped = await door.connect();
    expect(await readAll(dropped)).toBe('');
    held[0]?.destroy();
    await eventually(() => door.counts().sockets).toBe(2);
    expect(statuses(await door.exchange(door.post(closing)))).toEqual([200]);
    await Promise.all(held.slice(1).map((socket) => once(socket.destroy(), 'close')));
  });
});

function chunked(door: TestDoor, body: string, coding = 'chunked', headers = {}): string {
  const post = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const host = { Host: `127.0.0.1:${door.port}`, Authorization: 'Bearer one' };
  return message('POST /mcp', { ...host, ...post, 'Transfer-Encoding': coding, ...headers }) + body;
}
