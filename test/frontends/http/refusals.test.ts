import { existsSync, readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { Serve } from '../../../src/frontends/http/exchange.ts';
import { type Refusal, refusalBody, refusals } from '../../../src/frontends/http/refusals.ts';
import { withSeed } from '../../with-seed.ts';
import { eventually, readAll, startDoor, statuses, type TestDoor } from './start-http-server.ts';

type Provocation = (door: TestDoor) => string | Buffer;

const closing = { Connection: 'close' };

/** One request for each refusal; those that need another door name it below. */
const provocations: Readonly<Record<keyof typeof refusals, Provocation>> = {
  syntax: () => 'nonsense\r\n\r\n',
  headers: (door) => door.post({ ...closing, 'X-Fill': 'a'.repeat(20_000) }),
  late: () => 'POST /mcp HTTP/1.1\r\n',
  target: (door) => door.get('http://127.0.0.1/mcp', closing),
  path: (door) => door.get('/nothing', closing),
  method: (door) => `PUT ${door.post(closing).slice(5)}`,
  upgrade: (door) => door.get('/mcp', { Upgrade: 'websocket', Connection: 'Upgrade' }),
  hostCount: (door) => door.post({ ...closing, Host: null }),
  host: (door) => door.post({ ...closing, Host: 'evil.example' }),
  origin: (door) => door.post({ ...closing, Origin: 'http://evil.example' }),
  token: (door) => door.post({ ...closing, Authorization: 'Bearer nobody' }),
  repeated: (door) => door.post({ ...closing, 'X-Two': 'a', 'x-two': 'b' }),
  expectation: (door) => door.post({ ...closing, Expect: 'miracles' }),
  contentType: (door) => door.post({ ...closing, 'Content-Type': 'text/plain' }),
  contentEncoding: (door) => door.post({ ...closing, 'Content-Encoding': 'gzip' }),
  transferEncoding: (door) =>
    door.post({ ...closing, 'Content-Length': null, 'Transfer-Encoding': 'gzip, chunked' }, '0\r\n\r\n'),
  unexpectedBody: (door) => `${door.get('/mcp', { ...closing, 'Content-Length': '2' })}{}`,
  accept: (door) => door.post({ ...closing, Accept: '*/*' }),
  length: (door) => door.post({ ...closing, 'Content-Length': '99999999' }),
  leaving: (door) => door.post(),
  clientBusy: (door) => door.post(closing),
  busy: (door) => door.post(closing),
  streams: (door) => door.get('/mcp', closing),
  empty: (door) => door.post(closing, ''),
  encoding: (door) =>
    Buffer.concat([Buffer.from(door.post({ ...closing, 'Content-Length': '1' }, '')), Buffer.from([0xff])]),
  depth: (door) => door.post(closing, '['.repeat(300)),
  width: (door) => door.post(closing, `[${'1,'.repeat(150_001)}`),
  json: (door) => door.post(closing, '{'),
  response: (door) => door.post(closing, '{}'),
  fault: (door) => door.post(closing),
};

const bounds: Readonly<Record<string, Record<string, number>>> = {
  late: { headersTime: 10, bodyTime: 10, checkEvery: 5 },
  clientBusy: { inFlightOfToken: 0 },
  busy: { inFlight: 0 },
  streams: { streams: 0 },
};
const answers: Readonly<Record<string, Serve>> = {
  streams: async () => ({ status: 200, body: new ReadableStream() }),
  response: async () => ({ status: 200, body: 'a'.repeat(528_385) }),
  fault: () => Promise.reject(new Error('fault')),
};

const table: Readonly<Record<string, Refusal>> = refusals;

describe('each refusal', () => {
  for (const [name, provoke] of Object.entries(provocations)) {
    if (name === 'leaving') continue;
    const refusal: Refusal = table[name] ?? refusals.fault;
    it(`${name}: ${refusal.status} ${STATUS_CODES[refusal.status]}, with its own words and headers`, async () => {
      const serve = answers[name];
      const door = await startDoor({ limits: { linger: 1, ...bounds[name] }, ...(serve && { serve }) });
      const answer = await door.exchange(provoke(door));
      expect(statuses(answer)).toEqual([refusal.status]);
      expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(refusalBody(refusal));
      for (const [header, value] of Object.entries(refusal.headers ?? {})) {
        expect(answer).toContain(`\r\n${header}: ${value}\r\n`);
      }
    });
  }

  it('leaving: 503 for a call that ends because the door closes, and nothing more is served', async () => {
    const door = await startDoor({
      serve: ({ gone }) =>
        new Promise((_, reject) => void gone.addEventListener('abort', () => reject(gone.reason))),
    });
    const socket = await door.connect();
    socket.write(provocations.leaving(door));
    await eventually(() => door.counts().calls).toBe(1);
    const all = readAll(socket);
    await door.close();
    expect(statuses(await all)).toEqual([refusals.leaving.status]);
    expect(await all).toContain(refusalBody(refusals.leaving));
  });

  it('is listed in docs/PROTOCOL.md, and nothing else is', () => {
    const file = new URL('../../../docs/PROTOCOL.md', import.meta.url);
    expect(existsSync(file)).toBe(true);
    const listed = [...readFileSync(file, 'utf8').matchAll(/^\| (\d{3}) \| (-\d+) \| (.*) \|$/gm)];
    expect(listed.map(([, status, code, message]) => `${status} ${code} ${message}`)).toEqual(
      Object.values(refusals).map(({ status, code, message }) => `${status} ${code} ${message}`),
    );
  });
});

describe('docs/PROTOCOL.md', () => {
  it('states the bounds that hold', () => {
    const page = readFileSync(new URL('../../../docs/PROTOCOL.md', import.meta.url), 'utf8');
    const { http } = limits;
    const stated = [
      `| headers | ${http.header / 1024} KiB, ${http.headers} headers |`,
      `| time until the headers are there | ${http.headersTime / 1000} s |`,
      `| time until the whole request is there | ${http.bodyTime / 1000} s |`,
      `| connections | ${http.sockets} |`,
      `or ask for \`/healthz\` | ${http.requestsOfStranger} |`,
      `| a connection on which nothing more is asked | ${http.keepAlive / 1000} s |`,
      `| a client that does not read its answer | ${http.writeTime / 1000} s |`,
      `| an answer that is not a stream | ${http.response / 1024} KiB |`,
      `after ${http.leaving / 1000} s at the latest`,
      `at most ${http.body / 1024 / 1024} MiB`,
      `at most ${http.inFlightOfToken} requests of one token under way, and ${http.inFlight} in all`,
      `at most ${http.streams} streams`,
      `(${http.streamsOfToken} of one token)`,
      `at most ${http.bodyMembers.toLocaleString('en')} members in\none object and ${http.bodyValues.toLocaleString('en')} values in all`,
      `at most ${http.bodyDepth} levels deep`,
    ];
    expect(stated.filter((text) => !page.includes(text))).toEqual([]);
  });
});

describe('whatever is sent', () => {
  const declared = new Set<number>([100, 200, ...Object.values(refusals).map(({ status }) => status)]);

  it('TRN-13: is answered with a status of the table or not at all, and the door goes on', async () => {
    const door = await startDoor({ limits: { linger: 1, headersTime: 20, bodyTime: 20, checkEvery: 5 } });
    const part = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('\r\n', '\n', ' ', ':', '/', '\0', 'HTTP/1.1', '0', ',', ';', '\t'),
      },
      { weight: 2, arbitrary: fc.constantFrom('Host', 'Content-Length', 'Transfer-Encoding: chunked\r\n') },
      { weight: 1, arbitrary: fc.string() },
    );
    const mutation = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(20),
      put: part,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.boolean(), async (all, get) => {
        let bytes = get ? door.get('/mcp', closing) : door.post(closing);
        for (const { at, cut, put } of all) {
          const place = Math.floor(at * bytes.length);
          bytes = bytes.slice(0, place) + put + bytes.slice(place + cut);
        }
        const answer = await door.exchange(bytes);
        expect(statuses(answer).filter((status) => !declared.has(status))).toEqual([]);
      }),
      withSeed({ numRuns: 200 }),
    );
    // With times as short as these, what is served at once is late where the machine is busy.
    await eventually(async () => statuses(await door.exchange(door.post(closing)))).toEqual([200]);
    await eventually(() => door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
  });
});
