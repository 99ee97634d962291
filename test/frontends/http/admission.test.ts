import { describe, expect, it } from 'vitest';
import { refusalBody, refusals } from '../../../src/frontends/http/refusals.ts';
import { message, startDoor, statuses, type TestDoor } from './start-http-server.ts';

type Headers = Record<string, string | null>;
const closing = { Connection: 'close' };

describe('who presents no token', () => {
  const cases: readonly (readonly [string, Headers])[] = [
    ['none', { Authorization: null }],
    ['an empty header', { Authorization: '' }],
    ['an empty token', { Authorization: 'Bearer ' }],
    ['a wrong token', { Authorization: 'Bearer nobody' }],
    ['a token with a space', { Authorization: 'Bearer one two' }],
    ['a token after two spaces', { Authorization: 'Bearer  one' }],
    ['a token without its scheme', { Authorization: 'one' }],
    ['Basic', { Authorization: `Basic ${Buffer.from('one:one').toString('base64')}` }],
    ['another scheme', { Authorization: 'Token one' }],
    ['the right token twice', { authorization: 'Bearer one' }],
    ['a list of tokens', { Authorization: 'Bearer one,Bearer one' }],
    ['a token in a header of another name', { Authorization: null, 'X-Api-Key': 'one', Cookie: 'token=one' }],
  ];
  for (const method of ['POST', 'GET', 'DELETE']) {
    it(`TRN-01: ${method} is refused with one constant body before the body is read`, async () => {
      const door = await startDoor();
      for (const [name, headers] of cases) {
        // The body is announced, but never sent: whoever waited for it would not answer.
        const head = message(`${method} /mcp`, { ...usual(door, method), ...closing, ...headers });
        expectRefusal(await door.exchange(head), 'token', name);
      }
      expect(door.served).toEqual([]);
    });
  }

  it('TRN-01: a token in the query or in the body lets nobody in', async () => {
    const door = await startDoor();
    const headers = { ...usual(door, 'POST'), ...closing, Authorization: null };
    const query = message('POST /mcp?token=one&access_token=one', headers);
    expectRefusal(await door.exchange(query), 'path');
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"token":"one"}}}';
    expectRefusal(await door.exchange(door.post({ ...closing, Authorization: null }, body)), 'token');
    expect(door.served).toEqual([]);
  });

  it('TRN-01: metrics need a token as well', async () => {
    const door = await startDoor();
    for (const [name, headers] of cases) {
      expectRefusal(await door.exchange(door.get('/metrics', { ...closing, ...headers })), 'token', name);
    }
  });

  it('the scheme of a token may be written in any case', async () => {
    const door = await startDoor();
    for (const scheme of ['bearer', 'BEARER']) {
      const answer = await door.exchange(door.post({ ...closing, Authorization: `${scheme} one` }));
      expect(statuses(answer)).toEqual([200]);
    }
  });
});

describe('where a request comes from', () => {
  const routes = ['POST /mcp', 'GET /mcp', 'DELETE /mcp', 'GET /healthz', 'HEAD /healthz', 'GET /metrics'];

  it('TRN-03: a foreign Host alone, and a foreign Origin alone, are refused on every path', async () => {
    const door = await startDoor();
    for (const route of routes) {
      const send = (headers: Headers) =>
        door.exchange(message(route, { ...usual(door, route.split(' ')[0] ?? ''), ...closing, ...headers }));
      const body = !route.startsWith('HEAD');
      expectRefusal(await send({ Host: 'evil.example' }), 'host', route, body);
      expectRefusal(await send({ Origin: 'http://evil.example' }), 'origin', route, body);
    }
    expect(door.served).toEqual([]);
  });

  it('TRN-04: an Origin that is not exactly one of those allowed is refused', async () => {
    const door = await startDoor({ origins: ['http://localhost:6274'] });
    const own = `http://127.0.0.1:${door.port}`;
    const origins = [
      'null',
      '',
      'http://localhost.evil.com',
      'http://127.0.0.1.nip.io',
      'https://localhost:1',
      'file://',
      own,
      'http://localhost:6274/',
      'http://localhost:62740',
      'HTTP://localhost:6274',
      'https://localhost:6274',
      'http://localhost:6274, http://localhost:6274',
      'http://localhost:6274 http://evil.example',
      '*',
    ];
    for (const Origin of origins) {
      expectRefusal(await door.exchange(door.post({ ...closing, Origin })), 'origin', Origin);
    }
    const two = door.post({ ...closing, Origin: 'http://localhost:6274', origin: 'http://localhost:6274' });
    expectRefusal(await door.exchange(two), 'origin', 'two');
    expect(door.served).toEqual([]);
    const allowed = door.post({ ...closing, Origin: 'http://localhost:6274' });
    expect(statuses(await door.exchange(allowed))).toEqual([200]);
  });

  it('TRN-05: a Host that is not exactly this server and its port is refused', async () => {
    const door = await startDoor();
    const { port } = door;
    const hosts = [
      `user@localhost:${port}`,
      'localhost/evil',
      `localhost:${port}/evil`,
      `127.1:${port}`,
      `0x7f.1:${port}`,
      `2130706433:${port}`,
      `LOCALHOST:${port}`,
      `localhost.:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.1:${port + 1}`,
      `127.0.0.1:0${port}`,
      '127.0.0.1',
      'localhost',
      'localhost:',
      '',
      `127.0.0.1:${port}, evil.example`,
    ];
    for (const Host of hosts) {
      expectRefusal(await door.exchange(door.post({ ...closing, Host })), 'host', Host);
    }
    const wide = Buffer.from(door.post({ ...closing, Host: `ｌｏｃａｌｈｏｓｔ:${port}` }));
    expectRefusal(await door.exchange(wide), 'host', 'fullwidth');
    expectRefusal(await door.exchange(door.post({ ...closing, Host: null })), 'hostCount');
    expectRefusal(await door.exchange(door.post({ ...closing, host: `127.0.0.1:${port}` })), 'hostCount');
    expect(door.served).toEqual([]);
    const named = door.post({ ...closing, Host: `localhost:${port}` });
    expect(statuses(await door.exchange(named))).toEqual([200]);
  });

  it('TRN-05: a target that is not a path is refused, one that is another path is not found', async () => {
    const door = await startDoor();
    const send = (target: string) =>
      door.exchange(message(`POST ${target}`, { ...usual(door, 'POST'), ...closing }));
    expectRefusal(await send(`http://127.0.0.1:${door.port}/mcp`), 'target');
    expectRefusal(await send('http://evil.example/mcp'), 'target');
    expectRefusal(await send('*'), 'target');
    for (const path of [
      '/',
      '/mcp/',
      '//mcp',
      '/MCP',
      '/mcp?',
      '/mcp#a',
      '/%6dcp',
      '/./mcp',
      '/mcp;a',
      '/sse',
    ]) {
      expectRefusal(await send(path), 'path', path);
    }
    expect(door.served).toEqual([]);
  });
});

describe('what a request carries', () => {
  it('TRN-07: a body that is not announced as plain JSON is refused before it is read', async () => {
    const door = await startDoor();
    const types = [
      null,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      'application/json, text/plain',
      'application/jsonx',
      'application/json; charset=utf-16',
      'application/json; a=b',
      'text/plain; application/json',
    ];
    for (const type of types) {
      const head = message('POST /mcp', { ...usual(door, 'POST'), ...closing, 'Content-Type': type });
      expectRefusal(await door.exchange(head), 'contentType', `${type}`);
    }
    const two = { ...usual(door, 'POST'), ...closing, 'content-type': 'application/json' };
    expectRefusal(await door.exchange(message('POST /mcp', two)), 'contentType', 'two');
    for (const encoding of ['gzip', 'br', 'identity, gzip', 'deflate', '']) {
      const head = message('POST /mcp', { ...usual(door, 'POST'), ...closing, 'Content-Encoding': encoding });
      expectRefusal(await door.exchange(head), 'contentEncoding', encoding);
    }
    expect(door.served).toEqual([]);
  });

  it('TRN-07: JSON with its charset, and the encoding that is none, are let in', async () => {
    const door = await startDoor();
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      const answer = await door.exchange(
        door.post({ ...closing, 'Content-Type': type, 'Content-Encoding': 'identity' }),
      );
      expect(statuses(answer)).toEqual([200]);
    }
  });

  it('an answer that the client does not accept is not begun', async () => {
    const door = await startDoor();
    const refused = [
      null,
      '*/*',
      'application/json',
      'text/event-stream',
      'application/*, text/*',
      'application/json, text/event-stream;q=0',
      'application/json;q=0.0, text/event-stream',
      'application/json-seq, text/event-stream',
    ];
    for (const Accept of refused) {
      expectRefusal(await door.exchange(door.post({ ...closing, Accept })), 'accept', `${Accept}`);
    }
    expectRefusal(
      await door.exchange(door.get('/mcp', { ...closing, Accept: 'application/json' })),
      'accept',
    );
    for (const Accept of [
      'text/event-stream, application/json',
      'application/json;q=0.5 , TEXT/event-stream; q=1, */*;q=0.1',
    ]) {
      expect(statuses(await door.exchange(door.post({ ...closing, Accept })))).toEqual([200]);
    }
    const several = door.post({ ...closing, Accept: 'application/json', accept: 'text/event-stream' });
    expect(statuses(await door.exchange(several))).toEqual([200]);
  });

  it('a header that may come once is refused twice, whatever its name', async () => {
    const door = await startDoor();
    for (const name of ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'Last-Event-ID', 'X-Anything']) {
      const twice = door.post({ ...closing, [name]: 'a', [name.toLowerCase()]: 'a' });
      expectRefusal(await door.exchange(twice), 'repeated', name);
    }
    expect(door.served).toEqual([]);
  });

  it('a GET, a DELETE and a HEAD carry no body', async () => {
    const door = await startDoor();
    const length = { ...closing, 'Content-Length': '2' };
    expectRefusal(await door.exchange(`${door.get('/mcp', length)}{}`), 'unexpectedBody');
    const chunked = door.get('/healthz', { ...closing, 'Transfer-Encoding': 'chunked' });
    expectRefusal(await door.exchange(`${chunked}0\r\n\r\n`), 'unexpectedBody');
    expect(door.served).toEqual([]);
  });
});

describe('methods', () => {
  it('TRN-09: a method that a path does not serve is refused and told which ones it serves', async () => {
    const door = await startDoor();
    for (const method of ['HEAD', 'PUT', 'PATCH', 'TRACE', 'OPTIONS', 'QUERY', 'PROPFIND', 'M-SEARCH']) {
      const answer = await door.exchange(message(`${method} /mcp`, { ...usual(door, ''), ...closing }));
      expectRefusal(answer, 'method', method, method !== 'HEAD');
      expect(answer).toContain('\r\nAllow: GET, POST, DELETE\r\n');
    }
    const health = await door.exchange(message('POST /healthz', { ...usual(door, 'POST'), ...closing }));
    expect(health).toContain('\r\nAllow: GET, HEAD\r\n');
    expect(door.served).toEqual([]);
  });

  it('TRN-09: without sessions, GET and DELETE are refused too', async () => {
    const door = await startDoor({ sessions: false });
    for (const method of ['GET', 'DELETE']) {
      const answer = await door.exchange(message(`${method} /mcp`, { ...usual(door, method), ...closing }));
      expectRefusal(answer, 'method', method);
      expect(answer).toContain('\r\nAllow: POST\r\n');
    }
  });

  it('TRN-09: CONNECT and upgrades are refused and the connection is closed', async () => {
    const door = await startDoor();
    const connect = await door.exchange(
      `CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`,
    );
    expectRefusal(connect, 'method', 'CONNECT');
    expect(connect).toContain('\r\nAllow: GET, POST, DELETE, HEAD\r\n');
    const websocket = { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': '13' };
    expectRefusal(await door.exchange(door.get('/mcp', websocket)), 'upgrade', 'websocket');
    const h2c = { Upgrade: 'h2c', Connection: 'Upgrade, HTTP2-Settings', 'HTTP2-Settings': 'AAMAAABkAAQ' };
    expectRefusal(await door.exchange(door.post(h2c)), 'upgrade', 'h2c');
    expectRefusal(await door.exchange('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'syntax', 'HTTP/2');
    expect(door.served).toEqual([]);
  });

  it('TRN-08: a preflight is refused, and no answer ever allows another origin anything', async () => {
    const door = await startDoor({ origins: ['http://localhost:6274'] });
    const asked = {
      ...usual(door, ''),
      ...closing,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization, content-type',
      'Access-Control-Request-Private-Network': 'true',
    };
    for (const Origin of ['http://evil.example', 'http://localhost:6274']) {
      const preflight = await door.exchange(message('OPTIONS /mcp', { ...asked, Origin }));
      const post = await door.exchange(door.post({ ...closing, Origin }));
      expect(statuses(preflight)).toEqual([405]);
      expect(`${preflight}${post}`.toLowerCase()).not.toContain('access-control');
    }
  });

  it('an expectation is met only for who is let in, and only the one that is known', async () => {
    const door = await startDoor({ limits: { linger: 1 } });
    const waits = { ...closing, Expect: '100-continue' };
    expect(statuses(await door.exchange(door.post(waits)))).toEqual([100, 200]);
    const stranger = message('POST /mcp', {
      ...usual(door, 'POST'),
      Expect: '100-continue',
      Authorization: null,
    });
    expectRefusal(await door.exchange(stranger), 'token');
    const unknown = message('POST /mcp', { ...usual(door, 'POST'), Expect: 'miracles' });
    expectRefusal(await door.exchange(unknown), 'expectation');
    expect(door.served).toHaveLength(1);
  });
});

describe('TRN-32: what is answered', () => {
  it('nothing of a request comes back, and every answer forbids to keep it or to guess its type', async () => {
    const door = await startDoor();
    const marked: readonly Headers[] = [
      { Host: 'marked.example' },
      { Origin: 'http://marked.example' },
      { Authorization: 'Bearer marked' },
      { 'Content-Type': 'marked/plain' },
      { Accept: 'marked/plain' },
      { 'Mcp-Session-Id': 'marked' },
      { 'X-Request-Id': 'marked' },
    ];
    const answers = await Promise.all([
      ...marked.map((headers) => door.exchange(door.post({ ...closing, ...headers }))),
      door.exchange(door.post(closing, '{"marked')),
      door.exchange(door.post(closing, '[[["marked"]]]')),
      door.exchange(message('GET /marked?marked=1', { ...usual(door, ''), ...closing })),
      door.exchange(message('MARKED /mcp', { ...usual(door, ''), ...closing })),
      door.exchange(door.get('/healthz', closing)),
      door.exchange(door.get('/metrics', closing)),
    ]);
    for (const answer of answers) {
      expect(answer).not.toContain('marked');
      expect(answer).toContain('\r\nCache-Control: no-store\r\n');
      expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
      expect(answer).not.toMatch(/\r\n(server|x-powered-by|access-control-[^:]*):/i);
    }
  });
});

/** Only the head is sent in most cases, so that a door that waited for the body would never answer. */
function usual(door: TestDoor, method: string): Headers {
  const post = { 'Content-Type': 'application/json', 'Content-Length': '2' };
  return {
    Host: `127.0.0.1:${door.port}`,
    Authorization: 'Bearer one',
    Accept: 'application/json, text/event-stream',
    ...(method === 'POST' && post),
  };
}

function expectRefusal(answer: string, name: keyof typeof refusals, hint?: string, body = true): void {
  expect(statuses(answer), hint ?? name).toEqual([refusals[name].status]);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4), hint).toBe(body ? refusalBody(refusals[name]) : '');
}
