import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { message } from './start-http-server.ts';
import { messagesOf, modernRequest, ServeFixture } from './start-serve.ts';

// Hovers are never answered. A rename is answered when somebody asks for signatures.
const fixture = new ServeFixture({
  script: {
    rules: [
      { on: { method: 'textDocument/hover' }, do: [{ never: true }] },
      { on: { method: 'textDocument/rename' }, do: [{ waitFor: 'textDocument/signatureHelp' }] },
    ],
  },
  files: { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': `${'word '.repeat(100)}\n` },
  flags: ['--toolset', 'all'],
});
const lspan = await fixture.start();
afterAll(() => fixture.close());

const open = new Set<Socket>();
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

/** A request on a connection of its own, which can be hung up. */
async function ask(body: object, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port, host } = new URL(lspan.url);
  const socket = connect(Number(port), hostname);
  open.add(socket);
  await once(socket, 'connect');
  const text = JSON.stringify({ jsonrpc: '2.0', ...body });
  const usual = {
    Host: host,
    Authorization: `Bearer ${lspan.token}`,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': `${text.length}`,
  };
  socket.write(message('POST /mcp', { ...usual, ...headers }) + text);
  return socket;
}

function askModern(id: number, method: string, params: Readonly<Record<string, unknown>>): Promise<Socket> {
  const { body, headers } = modernRequest(id, method, params);
  return ask(body, headers);
}

const heardOf = (method: string) => fixture.received().filter((one) => one.method === method);
const hover = (character: number) => ({
  name: 'get_hover',
  arguments: { file_path: 'b.txt', line: 1, character },
});
const rename = (new_name: string) => ({
  method: 'tools/call',
  params: {
    name: 'rename_symbol',
    arguments: { file_path: 'a.txt', line: 1, character: 10, new_name, dry_run: false },
  },
});
const statusOf = async (message: object, headers: Record<string, string>) =>
  (await lspan.post(message, { headers })).status;
const statusOfList = async () => (await lspan.modern(1, 'tools/list')).status;
/** Has the renames answered that wait. */
const release = () =>
  lspan.modern('release', 'tools/call', {
    name: 'get_signature_help',
    arguments: { file_path: 'b.txt', line: 1, character: 1 },
  });

const cancels = () => heardOf('$/cancelRequest').length;
const renames = () => heardOf('textDocument/rename').length;

// With progress an answer is a stream of the SDK, without it is not.
describe.each([
  ['a plain call', {}],
  ['a call with progress', { _meta: { progressToken: 'p' } }],
])('TRN-17 a hang-up during %s', (_title, more) => {
  test('cancels it in the 2026 era: the server is told, and nothing is changed', async () => {
    const { method, params } = rename('gone');
    const [before, cancelled, asked] = [fixture.text('a.txt'), cancels(), renames()];
    const socket = await askModern(1, method, { ...params, ...more });
    const question = (await lspan.heard('textDocument/rename', asked + 1))[asked];
    socket.destroy();
    const notice = (await lspan.heard('$/cancelRequest', cancelled + 1))[cancelled];
    expect(notice?.params).toEqual({ id: question?.id });
    await release();
    expect(fixture.text('a.txt')).toBe(before);
  });

  test('cancels nothing in the 2025 era: the call is completed', async () => {
    const headers = await lspan.session();
    const [before, cancelled, asked] = [fixture.text('a.txt'), cancels(), renames()];
    const { method, params } = rename(`renamed${asked}`);
    const socket = await ask({ id: 1, method, params: { ...params, ...more } }, headers);
    await lspan.heard('textDocument/rename', asked + 1);
    const closed = once(socket, 'close');
    socket.destroy();
    await closed;
    // An id is taken until its request has been answered, whether anybody hears that or not.
    expect((await lspan.post({ id: 1, ...rename('twice') }, { headers })).status).toBe(400);
    await release();
    await expect.poll(() => fixture.text('a.txt')).not.toBe(before);
    expect(fixture.text('a.txt')).toMatch(/^function (renamed\d)\n\1 beta\n$/);
    expect(cancels()).toBe(cancelled);
    await expect.poll(() => statusOf({ id: 1, method: 'ping' }, headers)).toBe(200);
  });

  test('is not how the 2025 era cancels: a notification does, and then there is no answer', async () => {
    const headers = await lspan.session();
    const [cancelled, hovers] = [cancels(), heardOf('textDocument/hover').length];
    const waiting = lspan.post(
      { id: 2, method: 'tools/call', params: { ...hover(1), ...more } },
      { headers },
    );
    await lspan.heard('textDocument/hover', hovers + 1);
    const notice = { method: 'notifications/cancelled', params: { requestId: 2 } };
    expect(await statusOf(notice, headers)).toBe(202);
    await lspan.heard('$/cancelRequest', cancelled + 1);
    const answers = await messagesOf(await waiting);
    expect(answers.filter((one) => 'id' in one)).toEqual([]);
  });
});

test('TRN-17 a token that has all its calls under way is told to wait, and each hang-up frees a place', async () => {
  const most = limits.http.inFlightOfToken;
  const before = heardOf('textDocument/hover').length;
  const asked = Array.from({ length: most }, (_, index) => askModern(1, 'tools/call', hover(index * 5 + 1)));
  const sockets = await Promise.all(asked);
  // The server is asked some of them at once, the others wait for their turn.
  await lspan.heard('textDocument/hover', before + limits.questionsOfScope);
  await expect.poll(statusOfList).toBe(429);
  const refused = await lspan.modern(1, 'tools/list');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const cancelled = heardOf('$/cancelRequest').length;
  for (const socket of sockets) socket.destroy();
  await lspan.heard('$/cancelRequest', cancelled + 1);
  await expect.poll(statusOfList).toBe(200);
});

test('whoever has hung up is forgotten: no call and no stream is counted any more', async () => {
  const headers = await lspan.session();
  const leave = new AbortController();
  const { signal } = leave;
  const uri = 'lspan://diagnostics/a.txt';
  const notifications = { resourceSubscriptions: [uri] };
  const streams = [
    lspan.ask('GET', { headers, signal }),
    lspan.modern(1, 'subscriptions/listen', { notifications }, { signal }),
  ];
  expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200]);
  const counted = async () => {
    const text = await (await lspan.ask('GET', {}, '/metrics')).text();
    const names = ['lspan_calls_in_flight', 'lspan_http_requests_in_flight', 'lspan_http_streams'];
    return names.map((name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]));
  };
  // The question itself is a request too.
  await expect.poll(counted).toEqual([0, 1, 2]);
  leave.abort();
  await expect.poll(counted).toEqual([0, 1, 0]);
});
