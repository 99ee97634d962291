import { afterAll, describe, expect, test } from 'vitest';
import { Fixture, type Frontend } from '../start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** What clients list beside tools when they connect. */
const beside = ['prompts/list', 'resources/list', 'resources/templates/list'];

/** What a client of a revision gets to see when it connects, in bytes. */
async function openingLines(frontend: Frontend, revision: string): Promise<string[]> {
  await frontend.request(1, 'initialize', initialize(revision));
  frontend.send({ method: 'notifications/initialized' });
  await frontend.request(2, 'ping');
  await frontend.request(3, 'tools/list');
  for (const [index, method] of beside.entries()) await frontend.request(4 + index, method);
  return frontend.output.filter((line) => !line.includes('"id":"first"'));
}

test.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1999-01-01'])(
  'a client of %s gets the same bytes from us as from the SDK',
  async (revision) => {
    const ours = await openingLines(fixture.start(), revision);
    const sdk = fixture.start();
    // Nobody but the SDK answers a method that does not exist.
    expect(await sdk.request('first', 'no/such/method')).toHaveProperty('error.code', -32601);
    expect(ours).toHaveLength(6);
    expect(await openingLines(sdk, revision)).toEqual(ours);
  },
);

test('a client of 2026-07-28 gets the same bytes from us as from the SDK', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
  };
  const lines = async (frontend: Frontend) => {
    await frontend.request(1, 'server/discover', { _meta });
    await frontend.request(2, 'tools/list', { _meta });
    await frontend.request(3, 'tools/list', { _meta: { ..._meta, progressToken: 1 } });
    for (const [index, method] of beside.entries()) await frontend.request(4 + index, method, { _meta });
    return frontend.output.filter((line) => !line.includes('"id":"first"'));
  };
  const ours = await lines(fixture.start());
  const sdk = fixture.start();
  expect(await sdk.request('first', 'no/such/method', { _meta })).toHaveProperty('error.code', -32601);
  expect(ours).toHaveLength(6);
  expect(await lines(sdk)).toEqual(ours);
});

test('a client that looks for 2026-07-28 and then falls back is served', async () => {
  const frontend = fixture.start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  await frontend.request('probe', 'server/discover', { _meta });
  await frontend.initialize();
  expect(await frontend.call(1, 'echo')).toHaveProperty('result.content');
});

test.each([
  ['a revision that does not exist', { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }, -32602],
  ['a claim without a client', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, -32602],
])('%s is judged by the SDK', async (_, _meta, code) => {
  const frontend = fixture.start();
  expect(await frontend.request(1, 'server/discover', { _meta })).toHaveProperty('error.code', code);
});

test('TRN-34 the tool list is the same in every start', async () => {
  const lists = await Promise.all([1, 2, 3, 4, 5].map(() => openingLines(fixture.start(), '2025-11-25')));
  expect(new Set(lists.map((lines) => lines.join('\n')))).toHaveProperty('size', 1);
});

test('opening a connection and listing the tools opens no bridge', async () => {
  const frontend = fixture.start();
  await openingLines(frontend, '2025-11-25');
  frontend.child.stdin?.end();
  await frontend.exit;
  expect(frontend.log.join('\n')).not.toContain('"stub"');
});

test('the SDK knows of the handshake that it did not answer', async () => {
  const frontend = fixture.start();
  await frontend.initialize('claude-code');
  expect(await frontend.call(1, 'echo')).not.toHaveProperty('result.structuredContent');
  expect(frontend.messages().filter((message) => message.id === 'init')).toHaveLength(1);
});

test('what is asked while the SDK loads is answered in full', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  const asked = [
    frontend.request(1, 'tools/list'),
    frontend.call(2, 'echo'),
    frontend.request(3, 'ping'),
    frontend.call(4, 'fails'),
  ];
  expect((await Promise.all(asked)).map((answer) => answer.id)).toEqual([1, 2, 3, 4]);
});

test('a cursor that was never given out is refused', async () => {
  const frontend = fixture.start();
  await frontend.initialize();
  expect(await frontend.request(1, 'tools/list', { cursor: 'x' })).toHaveProperty('error.code', -32602);
});

test('the -s form opens the bridge at once', async () => {
  const frontend = fixture.start({
    roots: ['/w'],
    bridge: { single: { extensions: ['x'], command: ['y'] } },
  });
  expect(await frontend.stub('opened')).toEqual({ stub: 'opened', roots: ['/w'] });
});

test('a bridge that does not open is told by every call, and the connection lives on', async () => {
  const frontend = fixture.start(
    { bridge: { single: { extensions: [], command: [] } } },
    { STUB_OPEN: 'fails' },
  );
  await frontend.initialize();
  await frontend.logged('bridge.not_opened');
  for (const id of [1, 2]) {
    const { result } = await frontend.call(id, 'echo');
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'not_installed' } } });
  }
});

describe('the choice of tools', () => {
  const names = async (settings: object) => {
    const frontend = fixture.start(settings);
    await frontend.initialize();
    const { result } = await frontend.request(1, 'tools/list');
    return JSON.parse(JSON.stringify(result)).tools.map((tool: { name: string }) => tool.name);
  };

  test('without a toolset, what is listed by default', async () => {
    expect(await names({})).toEqual(['echo', 'wait', 'reports', 'fails', 'pollutes', 'crashes', 'writes']);
  });

  test('a toolset brings its tools, the unlisted ones too', async () => {
    expect(await names({ toolsets: ['navigation', 'refactor'] })).toEqual(['echo', 'writes', 'hidden']);
  });

  test('all brings everything', async () => {
    expect(await names({ toolsets: ['all'] })).toHaveLength(9);
  });

  test('read-only leaves out what writes files', async () => {
    expect(await names({ toolsets: ['refactor'], readOnly: true })).toEqual(['hidden']);
  });

  test.each([
    [
      { toolsets: ['navigation', 'nonsense'] },
      ['nonsense', 'navigation, symbols, quality, servers, refactor, all'],
    ],
    [{ bridge: { surface: 'nonsense' } }, ['nonsense', 'lspan']],
  ])('%j ends with 2 and the names that there are', async (settings, told) => {
    const frontend = fixture.start(settings);
    expect((await frontend.exit).code).toBe(2);
    for (const text of told) expect(frontend.log.join('\n')).toContain(text);
    expect(frontend.output).toEqual([]);
  });
});
