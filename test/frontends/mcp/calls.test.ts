import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { Fixture, type Frontend } from './start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

async function connected(settings: object = {}, client?: string, capabilities?: object): Promise<Frontend> {
  const frontend = fixture.start(settings);
  await frontend.initialize(client, capabilities);
  return frontend;
}

test('a tool that is not offered is an error of the protocol, and reaches no bridge', async () => {
  const frontend = await connected();
  for (const [id, name] of ['nonsense', 'hidden', '__proto__'].entries()) {
    const answer = await frontend.call(id, name);
    expect(answer).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(`^Unknown tool: "${name}"`) },
    });
  }
  expect(frontend.log.join('\n')).not.toContain('"stub"');
});

test('read-only refuses a call of what it does not list', async () => {
  const frontend = await connected({ readOnly: true });
  expect(await frontend.call(1, 'writes')).toHaveProperty('error.code', -32602);
});

test('calls at the same time open one bridge', async () => {
  const frontend = await connected();
  await Promise.all([1, 2, 3, 4].map((id) => frontend.call(id, 'echo', { line: id })));
  frontend.child.stdin?.end();
  await frontend.exit;
  expect(frontend.log.filter((line) => line.includes('"opened"'))).toHaveLength(1);
});

test('TRN-18 a call that has been answered, a request that is malformed and the handshake are not cancelled', async () => {
  const frontend = fixture.start();
  const cancel = (params: unknown) => frontend.send({ method: 'notifications/cancelled', params });
  const clientInfo = { name: 'test', version: '1' };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  frontend.send({ id: 'init', method: 'initialize', params: handshake });
  cancel({ requestId: 'init' });
  expect(await frontend.answer('init')).toHaveProperty('result.protocolVersion', '2025-11-25');
  frontend.send({ method: 'notifications/initialized' });
  await frontend.call(1, 'echo');
  for (const odd of [
    { requestId: 1 },
    { requestId: 1 },
    {},
    { requestId: [] },
    { requestId: -1, reason: 5 },
    undefined,
  ])
    cancel(odd);
  expect(await frontend.call(2, 'echo')).toHaveProperty('result');
  const ids = frontend.messages().map((message) => message.id);
  expect(ids).toEqual(['init', 1, 2]);
});

test('TRN-21 no logging is declared, so that no level can be set and nothing of it is ever told', async () => {
  const frontend = fixture.start();
  expect(await frontend.initialize()).not.toHaveProperty('result.capabilities.logging');
  for (const [id, level] of ['debug', 'nonsense'].entries())
    expect(await frontend.request(id, 'logging/setLevel', { level })).toHaveProperty('error.code', -32601);
  await frontend.call(5, 'pollutes');
  await frontend.call(6, 'fails');
  expect(frontend.messages().filter(({ method }) => method !== undefined)).toEqual([]);
});

test('TRN-22 in the 2026 revision nothing is ever asked of the client, not even its folders', async () => {
  const frontend = fixture.start({ roots: ['/found'], rootsFromClient: true });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      roots: { listChanged: true },
      sampling: {},
      elicitation: {},
    },
  };
  await frontend.request(1, 'server/discover', { _meta });
  for (const [index, name] of ['echo', 'reports', 'fails', 'writes'].entries())
    await frontend.request(2 + index, 'tools/call', { name, arguments: {}, _meta });
  await frontend.request(7, 'resources/read', { uri: 'lspan://diagnostics/a.ts', _meta });
  await frontend.request(8, 'prompts/get', { name: 'greet', arguments: { symbol: 'a' }, _meta });
  expect((await frontend.stub('opened')).roots).toEqual(['/found']);
  expect(frontend.messages().filter((message) => 'method' in message && 'id' in message)).toEqual([]);
});

test.each([
  ['prompts/get', { name: 'greet', arguments: { symbol: 1 } }, '`arguments.symbol` must be a text.'],
  ['prompts/get', { name: 'x' }, /^Unknown prompt: "x"\. The prompts are: greet/],
  ['resources/read', { uri: 5 }, '`uri` must be a text.'],
  ['resources/read', {}, '`uri` is missing.'],
  [
    'resources/read',
    { uri: 'x:y' },
    'There is no resource "x:y". Their URIs are lspan://diagnostics/{+path}.',
  ],
])('%s with the params %j is refused in our own words', async (method, params, message) => {
  const frontend = await connected();
  const told = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(await frontend.request(1, method, params)).toMatchObject({ error: { message: told } });
});

test('TRN-18 a cancelled call is aborted in the bridge and has no answer', async () => {
  const frontend = await connected();
  frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
  await frontend.stub('called');
  const cancel = (requestId: unknown) =>
    frontend.send({ method: 'notifications/cancelled', params: { requestId } });
  cancel(1);
  await frontend.stub('aborted');
  for (const odd of [1, 99, null, {}]) cancel(odd);
  await frontend.call(2, 'echo');
  expect(frontend.messages().map((message) => message.id)).toEqual(['init', 2]);
});

test('RES-06 a flood of calls is told to come later, and a place that becomes free is given', async () => {
  const frontend = await connected();
  const waiting = Array.from({ length: limits.callsInFlight }, (_, index) => index + 1);
  for (const id of waiting) frontend.send({ id, method: 'tools/call', params: { name: 'wait' } });
  const refused = await frontend.call(1_001, 'echo');
  expect(refused).toMatchObject({ result: { isError: true } });
  expect(JSON.stringify(refused)).toMatch(/busy: 128 calls.*Next: Call again/);
  // Reading a resource counts too, though it goes another way.
  const read = { uri: 'lspan://diagnostics/a.ts' };
  expect(await frontend.request(1_003, 'resources/read', read)).toMatchObject({
    error: { message: expect.stringMatching(/^busy: 128 calls/) },
  });
  frontend.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await frontend.stub('aborted');
  expect(await frontend.call(1_002, 'echo')).not.toHaveProperty('result.isError', true);
});

describe('TRN-19 progress', () => {
  const progressOf = (frontend: Frontend) =>
    frontend.messages().filter((message) => message.method === 'notifications/progress');

  test('is told with the token of the caller, and not after the answer', async () => {
    const frontend = await connected();
    await frontend.call(1, 'reports', {}, { progressToken: 'token' });
    await frontend.call(2, 'echo');
    const ids = frontend.messages().map((message) => message.method ?? message.id);
    // Of a process that the machine let wait in between, two steps may be told.
    const inOrder = ids.filter((id, index) => id !== ids[index - 1]);
    expect(inOrder).toEqual(['init', 'notifications/progress', 1, 2]);
    expect(progressOf(frontend)[0]?.params).toEqual({
      progressToken: 'token',
      progress: 1,
      message: 'step 1',
    });
  });

  test('is not told to a caller that did not ask', async () => {
    const frontend = await connected();
    await frontend.call(1, 'reports');
    expect(progressOf(frontend)).toEqual([]);
  });

  test('a flood of reports becomes few, and the last one is told', async () => {
    const frontend = await connected();
    const params = { name: 'reports', arguments: { line: 2 }, _meta: { progressToken: 5 } };
    frontend.send({ id: 1, method: 'tools/call', params });
    const steps = () => progressOf(frontend).map(({ params }) => params);
    await expect.poll(() => steps().at(-1)).toMatchObject({ progressToken: 5, message: 'step 50' });
    // One for each gap: more than two only of a process that the machine let wait.
    expect(steps().length).toBeLessThan(25);
  });
});

describe('output modes', () => {
  test.each([
    ['auto', 'claude-code', false],
    ['auto', 'somebody', true],
    ['text', 'somebody', false],
    ['both', 'claude-code', true],
  ])('%s for %s: structured content is sent: %s', async (output, client, sent) => {
    const frontend = await connected({ output }, client);
    const { result } = await frontend.call(1, 'echo', { line: 3 });
    const structuredContent = { complete: true, doubts: [], echo: { line: 3 } };
    const content = [{ type: 'text', text: 'One line.\nAnother line.' }];
    expect(result).toEqual({ content, ...(sent && { structuredContent }) });
  });

  test('an output schema is declared where every answer is structured', async () => {
    const lists = ['auto', 'text', 'structured', 'both'].map(async (output) => {
      const { result } = await (await connected({ output })).request(1, 'tools/list');
      return JSON.stringify(result).includes('outputSchema');
    });
    expect(await Promise.all(lists)).toEqual([false, false, true, true]);
  });
});

describe('the workspace', () => {
  const root = (name: string) => ({ uri: pathToFileURL(`/client/${name}`).href });

  /** Calls a tool and answers the question for roots, if it comes. */
  async function rootsOpened(
    settings: object,
    capabilities: object,
    roots: object[] | undefined,
  ): Promise<unknown> {
    const frontend = await connected(settings, 'test', capabilities);
    const called = frontend.call(1, 'echo');
    const asked = frontend
      .message('roots/list')
      .then(({ id }) => roots && frontend.send({ id, result: { roots } }));
    await Promise.race([called, asked]);
    await called;
    return (await frontend.stub('opened')).roots;
  }

  test('is what the user named, whatever the client says', async () => {
    const settings = { roots: ['/user'], rootsFromClient: false };
    expect(await rootsOpened(settings, { roots: {} }, [root('a')])).toEqual(['/user']);
  });

  test('is what the client says, before what was found', async () => {
    const settings = { roots: ['/found'], rootsFromClient: true };
    const roots = [root('a'), { uri: 'file://elsewhere/share' }, root('b c')];
    expect(await rootsOpened(settings, { roots: {} }, roots)).toEqual(['/client/a', '/client/b c']);
  });

  test('is asked for where nothing was found', async () => {
    expect(await rootsOpened({}, { roots: { listChanged: true } }, [root('a')])).toEqual(['/client/a']);
  });

  test('is what was found, if the client has no roots', async () => {
    const settings = { roots: ['/found'], rootsFromClient: true };
    expect(await rootsOpened(settings, {}, undefined)).toEqual(['/found']);
    expect(await rootsOpened(settings, { roots: {} }, [])).toEqual(['/found']);
  });

  test('is what was found, if the client does not answer', async () => {
    const settings = { roots: ['/found'], rootsFromClient: true };
    expect(await rootsOpened(settings, { roots: {} }, undefined)).toEqual(['/found']);
  });
});
