import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/limits.ts';
import { CancelSource } from '../../../../src/core/runtime/cancellation.ts';
import type { ToolCall } from '../../../../src/frontends/mcp/call-tool.ts';
import {
  echo,
  endpointOver,
  exchangeOf,
  initialize,
  messagesOf,
  modernExchange,
  openSession,
  textOf,
} from './ask-endpoint.ts';

const call = (id: string | number, tool = 'echo', more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: tool, arguments: { n: id }, ...more },
});

function event<T = void>() {
  let happens: (value: T) => void = () => {};
  const happened = new Promise<T>((resolve) => {
    happens = resolve;
  });
  return { happened, happens: (value: T) => happens(value) };
}

/** A tool that waits until it is let go, and tells when it was asked and aborted. */
function gate() {
  const [asked, freed, aborted] = [event<ToolCall>(), event(), event()];
  const answer = async (one: ToolCall) => {
    asked.happens(one);
    one.signal.addEventListener('abort', () => aborted.happens());
    await freed.happened;
    return echo(one);
  };
  return { answer, asked: asked.happened, aborted: aborted.happened, free: () => freed.happens() };
}

describe('one message a request', () => {
  it('batches, and what is no message, are 400 and open nothing', async () => {
    const endpoint = endpointOver(echo);
    for (const body of [[initialize], [], null, 7, 'x', {}, { jsonrpc: '1.0', id: 1, method: 'ping' }]) {
      const reply = await endpoint.serve(exchangeOf({ body }));
      expect(reply.status).toBe(400);
      expect(JSON.parse(await textOf(reply))).toMatchObject({ error: { code: -32600 } });
    }
    expect(endpoint.sessions).toBe(0);
    await endpoint.close();
  });
});

it('a session that awaits notifications/initialized answers only ping before it', async () => {
  const endpoint = endpointOver(echo, { awaitsInitialized: true });
  const opened = await endpoint.serve(exchangeOf({ body: initialize }));
  await textOf(opened);
  const headers = { 'mcp-session-id': opened.headers?.['Mcp-Session-Id'] };
  const status = async (body: object) => (await endpoint.serve(exchangeOf({ body, headers }))).status;
  expect(await status(call(1))).toBe(400);
  expect(await status({ jsonrpc: '2.0', id: 2, method: 'ping' })).toBe(200);
  await status({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(await status(call(3))).toBe(200);
  await endpoint.close();
});

describe('without the SDK', () => {
  const questions = [
    { method: 'tools/list' },
    { method: 'tools/call', params: { name: 'echo', arguments: { a: 1 } } },
    { method: 'tools/call', params: { name: 'echo' } },
    { method: 'tools/call', params: { name: 'nothing' } },
    { method: 'tools/call', params: { name: 'echo', arguments: { fails: true } } },
    { method: 'tools/call', params: { name: 'echo', arguments: [1] } },
    { method: 'server/discover' },
    { method: 'no/such' },
  ];

  it('the 2026 revision is answered as by it', async () => {
    const [plain, sdk] = [endpointOver(echo), endpointOver(echo, { plain: false })];
    for (const question of questions) {
      const [one, other] = await Promise.all(
        [plain, sdk].map(async ({ serve }) => {
          const reply = await serve(modernExchange(question));
          return { status: reply.status, type: reply.headers?.['Content-Type'], text: await textOf(reply) };
        }),
      );
      expect(one).toEqual(other);
    }
    await Promise.all([plain.close(), sdk.close()]);
  });

  it('the 2025 revisions get the same messages as from it', async () => {
    const [plain, sdk] = [endpointOver(echo), endpointOver(echo, { plain: false })];
    const ids = [await openSession(plain), await openSession(sdk)];
    for (const question of [...questions, { method: 'ping' }]) {
      const body = { jsonrpc: '2.0', id: 'q', ...question };
      const [one, other] = await Promise.all(
        [plain, sdk].map(async ({ serve }, index) => {
          const reply = await serve(exchangeOf({ body, headers: { 'mcp-session-id': ids[index] } }));
          return JSON.stringify(await messagesOf(reply));
        }),
      );
      expect(one).toBe(other);
    }
    await Promise.all([plain.close(), sdk.close()]);
  });
});

describe('sessions of the 2025 revisions', () => {
  it('TRN-14 one is of the token that opened it: for another, and for an unknown id, there is none', async () => {
    const endpoint = endpointOver(echo);
    const id = await openSession(endpoint);
    const ask = (holder: string, session: string) =>
      endpoint.serve(exchangeOf({ body: call(1), tokenId: holder, headers: { 'mcp-session-id': session } }));
    expect((await ask('one', id)).status).toBe(200);
    expect((await ask('other', id)).status).toBe(404);
    for (let times = 0; times < 200; times += 1) expect((await ask('one', `no-${times}`)).status).toBe(404);
    expect(endpoint.sessions).toBe(1);
    await endpoint.close();
  });

  it('TRN-14 a request that does not open one gets none', async () => {
    const endpoint = endpointOver(echo);
    const { params, ...bare } = initialize;
    const bodies = [call(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, bare];
    for (const body of bodies) expect((await endpoint.serve(exchangeOf({ body }))).status).toBe(400);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await endpoint.serve(exchangeOf({ method }))).status).toBe(400);
    expect(endpoint.sessions).toBe(0);
    await endpoint.close();
  });

  it('a refusal names the id of the request, and not that of an answer', async () => {
    const endpoint = endpointOver(echo);
    const idOf = async (body: object, session?: string) => {
      const headers = session === undefined ? {} : { 'mcp-session-id': session };
      return JSON.parse(await textOf(await endpoint.serve(exchangeOf({ body, headers })))).id;
    };
    expect(await idOf(call('a'))).toBe('a');
    expect(await idOf(call(7), 'gone')).toBe(7);
    expect(await idOf({ ...initialize, id: 'i', params: {} })).toBe('i');
    expect(await idOf({ jsonrpc: '2.0', id: 3, result: {} }, 'gone')).toBeNull();
    await endpoint.close();
  });

  it('TRN-15 there are at most so many, and what comes then is told to wait', async () => {
    const endpoint = endpointOver(echo);
    for (let times = 0; times < limits.http.sessions; times += 1) await openSession(endpoint);
    for (let times = 0; times < 100; times += 1) {
      const reply = await endpoint.serve(exchangeOf({ body: initialize }));
      expect([reply.status, reply.headers?.['Retry-After']]).toEqual([503, '60']);
    }
    expect(endpoint.sessions).toBe(limits.http.sessions);
    await endpoint.close();
    expect(endpoint.sessions).toBe(0);
  });

  it('TRN-15 a token that has opened them all, and listens in each, does not keep another out', async () => {
    const endpoint = endpointOver(echo);
    const open = async (holder: string) => {
      const headers = { 'mcp-session-id': await openSession(endpoint, holder), accept: 'text/event-stream' };
      await endpoint.serve(exchangeOf({ method: 'GET', tokenId: holder, headers }));
      return { tokenId: holder, headers };
    };
    const statusOf = async (one: Awaited<ReturnType<typeof open>>) =>
      (await endpoint.serve(exchangeOf({ ...one, body: call(1) }))).status;
    const [oldest, next] = [await open('greedy'), await open('greedy')];
    for (let times = 2; times < limits.http.sessions; times += 1) await open('greedy');
    const other = await open('other');
    expect([await statusOf(oldest), await statusOf(next), await statusOf(other)]).toEqual([404, 200, 200]);
    expect((await endpoint.serve(exchangeOf({ body: initialize, tokenId: 'greedy' }))).status).toBe(503);
    // Half as many as the greedy one are another's share, and no more.
    for (let times = 1; times < limits.http.sessions; times += 1)
      await endpoint.serve(exchangeOf({ body: initialize, tokenId: 'other' }));
    expect(await statusOf(other)).toBe(200);
    expect((await endpoint.serve(exchangeOf({ body: initialize, tokenId: 'other' }))).status).toBe(503);
    expect((await endpoint.serve(exchangeOf({ body: initialize, tokenId: 'third' }))).status).toBe(200);
    await endpoint.close();
  });

  it('DELETE ends one, with what is being answered in it', async () => {
    const { answer, asked, aborted, free } = gate();
    const endpoint = endpointOver(answer);
    const headers = { 'mcp-session-id': await openSession(endpoint) };
    const answering = endpoint.serve(exchangeOf({ body: call(1, 'wait'), headers }));
    await asked;
    expect((await endpoint.serve(exchangeOf({ method: 'DELETE', headers }))).status).toBe(200);
    await aborted;
    free();
    const reply = await answering;
    expect([reply.status, await messagesOf(reply)]).toMatchObject([
      404,
      [{ id: 1, error: { code: -32001 } }],
    ]);
    expect((await endpoint.serve(exchangeOf({ body: call(2), headers }))).status).toBe(404);
    await endpoint.close();
  });

  it('the stream of a call has an answer when its session ends', async () => {
    const { answer, asked, free } = gate();
    const endpoint = endpointOver(answer);
    const headers = { 'mcp-session-id': await openSession(endpoint) };
    const body = call('p', 'wait', { _meta: { progressToken: 1 } });
    const reply = await endpoint.serve(exchangeOf({ body, headers }));
    await asked;
    endpoint.forget('one');
    expect(await messagesOf(reply)).toMatchObject([{ id: 'p', error: { code: -32001 } }]);
    free();
    await endpoint.close();
  });

  it('a token that holds no more takes its sessions with it', async () => {
    const endpoint = endpointOver(echo);
    await Promise.all([openSession(endpoint, 'one'), openSession(endpoint, 'other')]);
    endpoint.forget('one');
    expect(endpoint.sessions).toBe(1);
    await endpoint.close();
  });

  it('a stream that GET opened ends with its session, and there is one at most', async () => {
    const endpoint = endpointOver(echo);
    const headers = { 'mcp-session-id': await openSession(endpoint), accept: 'text/event-stream' };
    const stream = await endpoint.serve(exchangeOf({ method: 'GET', headers }));
    expect(stream.headers?.['Content-Type']).toBe('text/event-stream');
    expect((await endpoint.serve(exchangeOf({ method: 'GET', headers }))).status).toBe(409);
    await endpoint.serve(exchangeOf({ method: 'DELETE', headers }));
    expect(await textOf(stream)).toBe('');
    await endpoint.close();
  });

  it('TRN-16 an id that is being answered is not taken again', async () => {
    for (const more of [{}, { _meta: { progressToken: 1 } }]) {
      const { answer, asked, free } = gate();
      const endpoint = endpointOver(answer);
      const headers = { 'mcp-session-id': await openSession(endpoint) };
      const first = endpoint.serve(exchangeOf({ body: call(5, 'wait', more), headers }));
      await asked;
      const second = await endpoint.serve(exchangeOf({ body: call(5, 'wait', more), headers }));
      expect(second.status).toBe(400);
      free();
      expect((await messagesOf(await first)).at(-1)).toMatchObject({ id: 5 });
      const third = await endpoint.serve(exchangeOf({ body: call(5, 'wait', more), headers }));
      expect((await messagesOf(third)).at(-1)).toMatchObject({ id: 5, result: {} });
      await endpoint.close();
    }
  });

  it('TRN-16 an id whose request is refused is free again', async () => {
    const endpoint = endpointOver(echo);
    const headers = { 'mcp-session-id': await openSession(endpoint) };
    const again = () => endpoint.serve(exchangeOf({ body: { ...initialize, id: 5 }, headers }));
    expect((await again()).status).toBe(400);
    expect(await textOf(await again())).toContain('already initialized');
    const asked = await endpoint.serve(exchangeOf({ body: call(5), headers }));
    expect((await messagesOf(asked)).at(-1)).toMatchObject({ id: 5, result: {} });
    await endpoint.close();
  });
});

describe('an endpoint that was closed', () => {
  it('answers nothing any more, and opens nothing', async () => {
    for (const sessions of [true, false]) {
      const endpoint = endpointOver(echo, { sessions });
      await endpoint.close();
      const exchanges = [exchangeOf({ body: initialize }), modernExchange({ method: 'tools/list' })];
      for (const exchange of exchanges) expect((await endpoint.serve(exchange)).status).toBe(503);
      expect(endpoint.sessions).toBe(0);
    }
  });
});

it('a session that ends while a request of it is on its way to the SDK leaves nobody waiting', async () => {
  for (let steps = 0; steps < 24; steps += 1) {
    const { answer, free } = gate();
    const endpoint = endpointOver(answer);
    const headers = { 'mcp-session-id': await openSession(endpoint) };
    const body = call(1, 'wait', { _meta: { progressToken: 1 } });
    const answering = endpoint.serve(exchangeOf({ body, headers })).then(messagesOf);
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    expect((await endpoint.serve(exchangeOf({ method: 'DELETE', headers }))).status).toBe(200);
    expect(await answering).toMatchObject([{ id: 1, error: { message: expect.stringContaining('ended') } }]);
    free();
    await endpoint.close();
  }
});

describe('an endpoint that is being closed', () => {
  it('does not say of a call that its caller cancelled it', async () => {
    const asked = event();
    const endpoint = endpointOver(async ({ signal }) => {
      asked.happens();
      await new Promise<void>((resolve) => signal.addEventListener('abort', resolve));
      return { content: [{ type: 'text', text: 'The caller cancelled this call.' }], isError: true };
    });
    const door = new CancelSource();
    const call = { method: 'tools/call', params: { name: 'wait', arguments: {} } };
    const answering = endpoint.serve(modernExchange(call, { gone: door }));
    await asked.happened;
    await endpoint.close();
    door.abort();
    const reply = await answering;
    expect([reply.status, JSON.parse(await textOf(reply))]).toMatchObject([
      503,
      { id: 1, error: { message: 'The server is stopping.' } },
    ]);
  });
});

describe('cancellation', () => {
  it('TRN-17 a client of the 2025 revisions that hangs up cancels nothing', async () => {
    for (const more of [{}, { _meta: { progressToken: 1 } }]) {
      const { answer, asked, free } = gate();
      const endpoint = endpointOver(answer);
      const headers = { 'mcp-session-id': await openSession(endpoint) };
      const client = new CancelSource();
      const exchange = exchangeOf({ body: call(1, 'wait', more), headers, gone: client });
      const answering = endpoint.serve(exchange);
      const { signal } = await asked;
      client.abort();
      const reply = 'progressToken' in (more._meta ?? {}) ? await answering : undefined;
      if (reply?.body instanceof ReadableStream) await reply.body.cancel();
      expect(signal.aborted).toBe(false);
      free();
      await answering;
      await endpoint.close();
    }
  });

  it('TRN-18 a notification cancels, and the request then has no answer', async () => {
    for (const more of [{}, { _meta: { progressToken: 1 } }]) {
      const { answer, asked, aborted, free } = gate();
      const endpoint = endpointOver(answer);
      const headers = { 'mcp-session-id': await openSession(endpoint) };
      const answering = endpoint.serve(exchangeOf({ body: call(1, 'wait', more), headers }));
      await asked;
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
      expect((await endpoint.serve(exchangeOf({ body, headers }))).status).toBe(202);
      await aborted;
      free();
      expect(await messagesOf(await answering)).toEqual([]);
      await endpoint.close();
    }
  });

  it('TRN-17 a client of the 2026 revision that hangs up cancels its call', async () => {
    for (const more of [{}, { _meta: { progressToken: 1 } }]) {
      const { answer, asked, aborted, free } = gate();
      const endpoint = endpointOver(answer);
      const client = new CancelSource();
      const params = { name: 'wait', arguments: {}, ...more };
      const answering = endpoint.serve(modernExchange({ method: 'tools/call', params }, { gone: client }));
      await asked;
      client.abort();
      await aborted;
      free();
      await answering;
      await endpoint.close();
    }
  });
});

describe('without sessions', () => {
  it('the 2025 revisions are answered, and nothing is kept', async () => {
    const endpoint = endpointOver(echo, { sessions: false });
    const opened = await endpoint.serve(exchangeOf({ body: initialize }));
    expect(opened.headers?.['Mcp-Session-Id']).toBeUndefined();
    expect(await messagesOf(opened)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
    const reply = await endpoint.serve(exchangeOf({ body: call(3), tokenId: 'two' }));
    expect(await messagesOf(reply)).toMatchObject([
      { id: 3, result: { structuredContent: { scope: 'two' } } },
    ]);
    const body = call(4, 'echo', { _meta: { progressToken: 'p' } });
    expect((await messagesOf(await endpoint.serve(exchangeOf({ body })))).at(-1)).toMatchObject({ id: 4 });
    await endpoint.close();
  });
});

describe('revisions', () => {
  it('TRN-10 a header that names none that is served is 400', async () => {
    const endpoint = endpointOver(echo);
    const id = await openSession(endpoint);
    for (const version of ['1900-01-01', 'not-a-version', '2026-07-29', '']) {
      const headers = { 'mcp-session-id': id, 'mcp-protocol-version': version };
      const reply = await endpoint.serve(exchangeOf({ body: call(1), headers }));
      expect(reply.status).toBe(400);
    }
    await endpoint.close();
  });

  it('TRN-10, TRN-32 one that is not served is refused with those that are, and only a version is repeated', async () => {
    const endpoint = endpointOver(echo);
    const told = async (claimed: unknown, header: string | undefined) => {
      const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': claimed } };
      const headers = { 'mcp-protocol-version': header };
      const reply = await endpoint.serve(modernExchange({ method: 'tools/list', params }, { headers }));
      return { status: reply.status, ...JSON.parse(await textOf(reply)).error };
    };
    const refused = { status: 400, code: -32022, message: 'This protocol revision is not served.' };
    const supported = ['2026-07-28'];
    for (const requested of ['1900-01-01', 'v999.0.0', '2025-11-25'])
      for (const header of [requested, undefined])
        expect(await told(requested, header)).toEqual({ ...refused, data: { supported, requested } });
    for (const text of ['<b>', 'x'.repeat(33), 'a b'])
      for (const header of [text, undefined])
        expect(await told(text, header)).toEqual({ ...refused, data: { supported } });
    await endpoint.close();
  });

  it('--protocol 2025-11-25 refuses every other, and a request that names none', async () => {
    const endpoint = endpointOver(echo, { only: '2025-11-25' });
    const statusOf = async (exchange: Parameters<typeof endpoint.serve>[0]) =>
      (await endpoint.serve(exchange)).status;
    for (const protocolVersion of ['2025-06-18', '2024-11-05', '2026-07-28', 7]) {
      const body = { ...initialize, params: { ...initialize.params, protocolVersion } };
      expect(await statusOf(exchangeOf({ body }))).toBe(400);
    }
    expect(await statusOf(modernExchange({ method: 'tools/list' }))).toBe(400);
    expect(endpoint.sessions).toBe(0);
    const reply = await endpoint.serve(exchangeOf({ body: initialize }));
    const session = { 'mcp-session-id': reply.headers?.['Mcp-Session-Id'] };
    expect(await statusOf(exchangeOf({ body: call(1), headers: session }))).toBe(400);
    const named = { ...session, 'mcp-protocol-version': '2025-11-25' };
    expect(await statusOf(exchangeOf({ body: call(1), headers: named }))).toBe(200);
    await endpoint.close();
  });

  it('TRN-11 headers of the 2026 revision that do not mirror the body are 400 -32020', async () => {
    const endpoint = endpointOver(echo);
    const params = { name: 'echo', arguments: {} };
    for (const headers of [
      { 'mcp-name': 'wait' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': '=?base64?%%%?=' },
      { 'mcp-name': undefined },
      { 'mcp-method': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
    ]) {
      const reply = await endpoint.serve(modernExchange({ method: 'tools/call', params }, { headers }));
      expect([reply.status, JSON.parse(await textOf(reply)).error.code]).toEqual([400, -32020]);
    }
    await endpoint.close();
  });

  it('TRN-12 what the 2026 revision asks of every request is asked for', async () => {
    const endpoint = endpointOver(echo);
    const told = async (exchange: Parameters<typeof endpoint.serve>[0]) => {
      const reply = await endpoint.serve(exchange);
      return [reply.status, JSON.parse(await textOf(reply)).error.code];
    };
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    expect(await told(exchangeOf({ body: bare, headers }))).toEqual([400, -32602]);
    expect(await told(modernExchange({ method: 'no/such' }))).toEqual([404, -32601]);
    await endpoint.close();
  });
});
