import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { canaryScan } from '../canary-scan.ts';
import { type ServedLspan, serveLspan } from '../served-lspan.ts';
import { question } from '../test-bridge.ts';

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly session: string;
  readonly body: string;
}

/** Sends a request as it is given, also one that no decent client would send. */
function send(
  lspan: ServedLspan,
  headers: Readonly<Record<string, string>>,
  body: string,
  { method = 'POST', path = '' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(lspan.url);
    const asked = request({
      hostname,
      port,
      path: path || pathname,
      method,
      headers: { ...usual, ...headers },
    });
    asked.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => {
        const { 'mcp-session-id': session = '', ...rest } = response.headers;
        const status = response.statusCode ?? 0;
        resolve({ status, headers: JSON.stringify(rest), session: String(session), body: text });
      });
    });
    asked.end(body);
  });
}

function message(method: string, params: object, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

it('INF-01 INF-11 a secret that is sent, set or configured is found nowhere afterwards', async () => {
  const [sent = '', set = '', configured = '', spoken = ''] = Array.from({ length: 4 }, () =>
    randomBytes(32).toString('base64url'),
  );
  const lspan = await serveLspan({
    environment: { ANTHROPIC_API_KEY: set, SOME_TOKEN: set },
    server: {
      env: { SECRET: configured },
      settings: { fake: { secret: configured } },
      initialization_options: { configured },
    },
    flags: ['--toolset', 'all'],
    before: `echo "my secret is ${spoken}" >&2`,
    script: { rules: [{ on: { method: 'textDocument/hover' }, do: [{ exit: { code: 3 } }] }] },
  });
  const bearer = { authorization: `Bearer ${lspan.token}` };
  const opened = await send(lspan, bearer, initialize);
  expect(opened.status).toBe(200);
  const session = { ...bearer, 'mcp-session-id': opened.session, 'mcp-protocol-version': '2025-11-25' };
  const call = (name: string, args: object) => message('tools/call', { name, arguments: args });
  const answers = [
    opened,
    await send(lspan, session, call(question.tool, question.input)),
    // The server dies of this one.
    await send(lspan, session, call('get_hover', question.input)),
    await send(lspan, session, call('create_file', { file_path: 'c.txt', content: 'new\n', dry_run: false })),
    await send(lspan, session, call('get_server_status', {})),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const hostile = {
    'user-agent': sent,
    'mcp-name': sent,
    'mcp-method': sent,
    'x-secret': sent,
    cookie: sent,
  };
  answers.push(
    await send(lspan, { authorization: `Bearer ${sent}`, ...hostile }, initialize),
    await send(lspan, { authorization: `Basic ${sent}` }, initialize),
    await send(lspan, { ...bearer, origin: `http://${sent}` }, initialize),
    await send(lspan, { ...bearer, host: sent }, initialize),
    await send(lspan, { ...bearer, 'content-type': sent }, initialize),
    await send(lspan, { ...bearer, accept: sent }, initialize),
    await send(lspan, { ...session, 'mcp-session-id': sent }, initialize),
    await send(lspan, { ...session, 'mcp-protocol-version': sent }, call(question.tool, question.input)),
    await send(lspan, bearer, `{"${sent}`),
    await send(lspan, bearer, JSON.stringify([sent])),
    await send(lspan, bearer, initialize, { path: `/mcp?token=${sent}` }),
    await send(lspan, bearer, initialize, { path: `/${sent}` }),
    await send(lspan, { ...session, ...hostile }, message(sent, {})),
    await send(lspan, session, '', { method: 'DELETE' }),
    await send(lspan, bearer, '', { method: 'GET', path: '/metrics' }),
    await send(lspan, {}, '', { method: 'GET', path: '/healthz' }),
  );
  const secrets = { sent, set, configured, token: lspan.token, session: opened.session };
  expect(await lspan.end()).toBeTypeOf('number');
  const written = lspan.written();
  expect(Object.keys(written)).toEqual(expect.arrayContaining(['stdout', 'stderr', 'trace.jsonl']));
  expect(written.stderr).toMatch(/http\.answered/);
  expect(written.stderr).toMatch(/http\.refused .*status=401 why=token/);
  expect(Object.keys(written).some((name) => name.startsWith('state/lspan/edits'))).toBe(true);
  const isLine = /^\d\d:\d\d:\d\d\.\d{3} (error|warn |info |debug) [a-z_.]+( [\x20-\x7e]*)?$/;
  expect(written.stderr?.split('\n').filter((line) => line !== '' && !isLine.test(line))).toEqual([]);
  const told = Object.fromEntries(
    answers.map(({ headers, body }, index) => [`answer ${index}`, headers + body]),
  );
  // What a server says before it dies is told to who asked for its state, and to nobody else.
  expect(canaryScan(spoken, written)).toEqual([]);
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    canaryScan(secret, { ...written, ...told }).map((sighting) => ({ name, ...sighting })),
  );
  expect(found).toEqual([]);
});
