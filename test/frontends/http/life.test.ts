import { readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { alive } from '../../../src/platform/processes/process-facts.ts';
import { messagesOf, type RunningServe, ServeFixture } from './start-serve.ts';

// Hovers are never answered.
const fixture = new ServeFixture({
  script: { rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }] },
});
afterAll(() => fixture.close());

const place = { file_path: 'b.txt', line: 1, character: 1 };
const usesSix = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

/** The process of the language server, once it has answered. */
async function serverOf(lspan: RunningServe): Promise<number> {
  await lspan.modern(1, 'tools/call', { name: 'find_definition', arguments: place });
  const response = await lspan.modern(2, 'tools/call', { name: 'get_server_status', arguments: {} });
  const [answer] = await messagesOf(response);
  return Number(/"pid":(\d+)/.exec(JSON.stringify(answer?.result))?.[1]);
}

/** Resolves when a process is gone. */
const gone = (pid: number) => expect.poll(() => alive(pid)).toBe(false);

/** The list of tools as it stands in an answer, byte for byte. */
function listIn(text: string): string {
  const tools = JSON.stringify(JSON.parse(text.replace(/^event: .*\ndata: /, '')).result.tools);
  expect(text).toContain(tools);
  return tools;
}

/** What both eras list. */
async function listsOf(lspan: RunningServe): Promise<string[]> {
  const headers = await lspan.session();
  const older = await lspan.post({ id: 1, method: 'tools/list' }, { headers });
  return [listIn(await older.text()), listIn(await (await lspan.modern(1, 'tools/list')).text())];
}

const lists: string[] = [];

describe('lspan serve', async () => {
  // As by users who export it for a client.
  const token = (await fixture.run('token', 'rotate')).stdout.trim();
  fixture.environment.LSPAN_TOKEN = token;
  fixture.environment.LSPAN_HEADER = `Authorization: Bearer ${token}`;
  const lspan = await fixture.start();

  test('says where it listens, in which workspace and where the token is, and not the token', async () => {
    expect(lspan.output).toEqual([
      expect.stringMatching(/^lspan serves MCP at http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      `The workspace is ${fixture.root}`,
      expect.stringContaining(fixture.tokenFile),
    ]);
    expect(lspan.output.join()).not.toContain(token);
    expect(lspan.token).toBe(token);
    lists.push(...(await listsOf(lspan)));
  });

  test('INF-02 the token is in no command line, and in no environment of a language server', async () => {
    const server = await serverOf(lspan);
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(commandLine);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
    expect(lines.filter((line) => line.includes(fixture.root))).not.toEqual([]);
    const environment = readFileSync(`/proc/${server}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain(token);
  });

  test('on a port that is taken says so, and does not disturb who has it', async () => {
    const { port } = new URL(lspan.url);
    const { code, stdout, stderr } = await fixture.run('serve', ...fixture.flags, '--port', port);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Port ${port} is in use by another program. Choose another port with --port`);
    expect((await lspan.modern(1, 'tools/list')).status).toBe(200);
  });

  test('goes on when a terminal closes that it does not hold, as under nohup', async () => {
    lspan.child.kill('SIGHUP');
    expect((await lspan.modern(1, 'tools/list')).status).toBe(200);
  });

  test('at SIGTERM ends its calls and streams, and leaves nothing running', async () => {
    const server = await serverOf(lspan);
    const headers = await lspan.session();
    const stream = await lspan.ask('GET', { headers });
    const notifications = { resourceSubscriptions: ['lspan://diagnostics/a.txt'] };
    const listening = await lspan.modern(1, 'subscriptions/listen', { notifications });
    expect([stream.status, listening.status]).toEqual([200, 200]);
    const hover = (character: number) => ({ name: 'get_hover', arguments: { ...place, character } });
    const calls = [
      lspan.modern(2, 'tools/call', hover(1)),
      lspan.modern(3, 'tools/call', { ...hover(7), _meta: { progressToken: 'p' } }),
      lspan.post({ id: 4, method: 'tools/call', params: hover(10) }, { headers }),
    ];
    await lspan.heard('textDocument/hover', 3);
    const ends = [stream, listening].map((one) => one.text());
    const settled = Promise.allSettled([...ends, ...calls.map(async (call) => (await call).text())]);
    lspan.child.kill('SIGTERM');
    expect(await lspan.exit).toEqual({ code: 143, signal: null });
    await gone(server);
    await settled;
    expect(lspan.log.filter((line) => / (error|warn) /i.test(line))).toEqual([]);
  });
});

test('without sessions the 2025 era is served too, and is not told that it could follow anything', async () => {
  const lspan = await fixture.start('--no-sessions');
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await lspan.post({ id: 1, method: 'initialize', params });
  expect(opened.headers.has('mcp-session-id')).toBe(false);
  expect((await messagesOf(opened))[0]?.result?.capabilities).toMatchObject({ tools: {}, resources: {} });
  const asked = { id: 1, method: 'tools/call', params: { name: 'find_definition', arguments: place } };
  expect((await messagesOf(await lspan.post(asked)))[0]?.result).not.toHaveProperty('isError', true);
  const follow = { id: 1, method: 'resources/subscribe', params: { uri: 'lspan://diagnostics/a.txt' } };
  expect((await messagesOf(await lspan.post(follow)))[0]?.error?.code).toBe(-32601);
  const refused = await lspan.ask('GET');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
  await lspan.stop();
});

test.runIf(usesSix)(
  'on ::1 it behaves as on 127.0.0.1; and killed, it takes its servers with it',
  async () => {
    const lspan = await fixture.start('--host', '::1');
    expect(lspan.url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/);
    lists.push(...(await listsOf(lspan)));
    const { port } = new URL(lspan.url);
    const asked = { id: 1, method: 'tools/list' };
    expect((await lspan.post(asked, { token: 'wrong' })).status).toBe(401);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    expect((await fetch(`http://[::1]:${port}/healthz`)).status).toBe(200);
    const server = await serverOf(lspan);
    lspan.child.kill('SIGKILL');
    await lspan.exit;
    await gone(server);
  },
);

test('TRN-34 the list of tools is the same bytes over stdio, in both eras of HTTP, and at every start', async () => {
  const clientInfo = { name: 'test', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const requests = [
    { id: 'init', method: 'initialize', params: opening },
    { id: 'list', method: 'tools/list' },
  ];
  const input = requests.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
  const { stdout } = await fixture.tell(input, 'mcp', ...fixture.flags);
  const told = stdout.split('\n').find((line) => line.includes('"id":"list"')) ?? '';
  expect(lists.length).toBeGreaterThanOrEqual(2);
  expect(new Set([...lists, listIn(told)]).size).toBe(1);
});

describe('it does not start', () => {
  test('TRN-06 on all addresses', async () => {
    const { code, stdout, stderr } = await fixture.run('serve', ...fixture.flags, '--host', '0.0.0.0');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/--host cannot be "0\.0\.0\.0".*127\.0\.0\.1 or ::1/);
  });

  test('without a workspace', async () => {
    const { HOME } = fixture.environment;
    // A plain folder would be one, but the home directory is not.
    fixture.environment.HOME = fixture.root;
    onTestFinished(() => {
      fixture.environment.HOME = HOME;
    });
    const { code, stdout, stderr } = await fixture.run('serve', '--port', '0', ...fixture.flags.slice(2));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--workspace');
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
