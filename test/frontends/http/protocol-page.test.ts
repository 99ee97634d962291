import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import type { HttpReply } from '../../../src/frontends/http/exchange.ts';
import type { Endpoint } from '../../../src/frontends/mcp/http/endpoint.ts';
import { Subscriptions } from '../../../src/frontends/mcp/subscriptions.ts';
import { mcpCodes, rpcCodes } from '../../../src/jsonrpc/message.ts';
import {
  echo,
  endpointOver,
  exchangeOf,
  type Given,
  initialize,
  modernExchange,
  openSession,
  textOf,
} from '../mcp/http/ask-endpoint.ts';
import { ServeFixture } from './start-serve.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/PROTOCOL.md'), 'utf8');

describe('the examples of docs/PROTOCOL.md', () => {
  const fixture = new ServeFixture({ files: {}, config: { servers: [], disabled_servers: [] } });
  cpSync(path.join(root, 'demo'), fixture.root, { recursive: true });
  afterAll(() => fixture.close());
  const examples = [...page.matchAll(/^```sh\n(TOKEN=.*?)^```\n\n```json\n(.*?)^```$/gms)];

  it('do what they show, in both eras', async () => {
    expect(examples).toHaveLength(2);
    const { url } = await fixture.start();
    for (const [, script = '', told = ''] of examples) {
      const lspan = `lspan() { "${process.execPath}" "${root}/dist/bin.js" "$@"; }\n`;
      const words = ['-euc', lspan + script.replaceAll('http://127.0.0.1:3939/mcp', url)];
      const { stdout } = await promisify(execFile)('/bin/sh', words, { env: fixture.environment });
      expect(JSON.parse(stdout)).toEqual(JSON.parse(told));
    }
  });
});

/** What provokes each refusal of the endpoint, by the words of the table. */
const provoked: Readonly<Record<string, () => Promise<HttpReply>>> = {
  'a batch': () => ask({ body: [initialize] }),
  'any other JSON': () => ask({ body: 5 }),
  '2026-07-28 or later: not the one of `--protocol`, or what cannot be the name of a revision': () =>
    over(endpointOver(echo, { only: '2025-11-25' }), ({ serve }) =>
      serve(modernExchange({ method: 'tools/list' })),
    ),
  '2025: another than that of `--protocol` in `initialize`': () => {
    const params = { ...initialize.params, protocolVersion: '2025-06-18' };
    const asked = exchangeOf({ body: { ...initialize, params } });
    return over(endpointOver(echo, { only: '2025-11-25' }), ({ serve }) => serve(asked));
  },
  '2025: another in the header of any other request, or one that is not known': () =>
    over(endpointOver(echo, { only: '2025-11-25' }), ({ serve }) => serve(exchangeOf({ body: list }))),
  '2026-07-28: a header is missing or says something else than the body': () =>
    over(endpointOver(echo), async ({ serve }) => {
      const call = { method: 'tools/call', params: { name: 'echo', arguments: {} } };
      const odd = [
        { 'mcp-name': 'other' },
        { 'mcp-method': 'other' },
        { 'mcp-protocol-version': '2025-11-25' },
      ];
      const replies = await Promise.all(odd.map((headers) => serve(modernExchange(call, { headers }))));
      const texts = await Promise.all(replies.map(textOf));
      expect(new Set(texts).size).toBe(1);
      return serve(modernExchange(call, { headers: { 'mcp-name': undefined } }));
    }),
  '2026-07-28: more than 256 resources are to be followed': () =>
    listen(Array.from({ length: 257 }, (_, index) => `lspan://diagnostics/${index}.ts`)),
  '2026-07-28: something else than a resource is to be followed': () =>
    listen(['lspan://diagnostics/a.ts', 'file:///a.ts']),
  '2025: neither a session nor `initialize`': () => ask({ body: list }),
  "2025: a session that is unknown, has ended, or is another token's": () =>
    ask({ body: list, headers: { 'mcp-session-id': 'unknown' } }),
  '2025: an `initialize` that is not as the protocol says': () =>
    ask({ body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} } }),
  '2025: no room for a session (with `Retry-After: 60`)': () =>
    over(endpointOver(echo), async (endpoint) => {
      for (let opened = 0; opened < limits.http.sessions; opened++) await openSession(endpoint);
      const reply = await endpoint.serve(exchangeOf({ body: initialize }));
      expect(reply.headers).toMatchObject({ 'Retry-After': '60' });
      return reply;
    }),
  '2025: a request before `notifications/initialized`, with the surface `gateway`': () =>
    over(endpointOver(echo, { awaitsInitialized: true }), async (endpoint) => {
      const opened = await endpoint.serve(exchangeOf({ body: initialize }));
      await textOf(opened);
      const headers = { 'mcp-session-id': opened.headers?.['Mcp-Session-Id'] ?? '' };
      return endpoint.serve(exchangeOf({ body: list, headers }));
    }),
  '2025: an id that is taken': () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    return over(
      endpointOver((call) => freed.then(() => echo(call))),
      async (endpoint) => {
        const headers = { 'mcp-session-id': await openSession(endpoint) };
        const body = { ...list, method: 'tools/call', params: { name: 'echo' } };
        const first = endpoint.serve(exchangeOf({ body, headers }));
        const second = await endpoint.serve(exchangeOf({ body, headers }));
        free();
        await first;
        return second;
      },
    );
  },
};

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

function listen(resourceSubscriptions: readonly string[]): Promise<HttpReply> {
  const params = { notifications: { resourceSubscriptions } };
  const follower = {
    subscriptions: new Subscriptions(
      async () => {},
      () => {},
    ),
    close: () => {},
  };
  return over(endpointOver(echo, { follower }), ({ serve }) =>
    serve(modernExchange({ method: 'subscriptions/listen', params })),
  );
}

function ask(given: Given): Promise<HttpReply> {
  return over(endpointOver(echo), ({ serve }) => serve(exchangeOf(given)));
}

async function over(endpoint: Endpoint, use: (endpoint: Endpoint) => Promise<HttpReply>): Promise<HttpReply> {
  return use(endpoint).finally(() => endpoint.close());
}

describe('TRN-10, TRN-11, TRN-12 the refusals of the protocol in docs/PROTOCOL.md', () => {
  const rows = [...page.matchAll(/^\| (.+?) \| (\d{3}) \| (-\d+) \| (.+) \|$/gm)];

  it.each(rows.map(([, when = '', ...told]) => [when, told] as const))('%s', async (when, told) => {
    const reply = await provoked[when]?.();
    const { error } = JSON.parse(reply ? await textOf(reply) : '{}');
    expect([`${reply?.status}`, `${error?.code}`, error?.message]).toEqual(told);
  });

  it('are all that the endpoint knows', () => {
    expect(rows.map(([, when]) => when).sort()).toEqual(Object.keys(provoked).sort());
    const told = rows.map(([, , , , message]) => message);
    const sources = ['endpoint', 'protocol-version', 'session', 'session-store'].map((name) =>
      readFileSync(path.join(root, `src/frontends/mcp/http/${name}.ts`), 'utf8'),
    );
    const refused = sources.flatMap((text) => [
      ...text.matchAll(/\brefuse\(\s*\d{3},\s*[\w.]+,\s*'([^']+)'/g),
    ]);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused.map(([, message]) => message).filter((one) => !told.includes(one))).toEqual([]);
    const shown = new Set(rows.map(([, , , code]) => Number(code)));
    const named = sources.flatMap((text) => [...text.matchAll(/\b(?:rpc|mcp)Codes\.(\w+)/g)]);
    const codes: Readonly<Record<string, number>> = { ...rpcCodes, ...mcpCodes };
    expect(named.filter(([, name = '']) => !shown.has(codes[name] ?? 0))).toEqual([]);
  });
});

describe('the bounds of sessions in docs/PROTOCOL.md', () => {
  it('are those that hold', () => {
    const { sessions, sessionIdle, sessionRest, streamAlive, tokens, tokenFile } = limits.http;
    const [idle, rest] = [sessionIdle / 60_000, sessionRest / 1_000];
    const stated = [
      `| silence on a stream | ${streamAlive / 1_000} s |`,
      `| sessions | ${sessions} | the one idle longest is closed if that was ${rest} s; else one of a token that has far more than the requesting one; else 503 |`,
      `| an idle session | ${idle} min |`,
      `| tokens | ${tokens}, in a file of ${tokenFile / 1_024} KiB |`,
      `${idle} minutes without a request`,
      `There are at most ${sessions}.`,
      `at least every ${limits.call.progressEvery / 1_000} s`,
      `deadline (${limits.call.deadline / 1_000} s`,
    ];
    expect(stated.filter((text) => !page.includes(text))).toEqual([]);
  });
});
