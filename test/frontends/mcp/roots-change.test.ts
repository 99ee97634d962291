import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { type Bridge, openBridge } from '../../../src/bridge.ts';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { silent } from '../../../src/core/log.ts';
import { CallInProgress, CallsInProgress } from '../../../src/core/runtime/calls-in-progress.ts';
import { LazyBridge } from '../../../src/frontends/mcp/lazy-bridge.ts';
import type { CheckedFile, HostApi } from '../../../src/tools/host/host-api.ts';
import { Fixture, type Frontend } from './start-frontend.ts';

vi.mock('../../../src/bridge.ts', () => ({ openBridge: vi.fn() }));

const fixture = new Fixture();
beforeEach(() => void vi.mocked(openBridge).mockClear());
afterAll(() => fixture.close());

/** A client with folders, which it names whenever it is asked. */
interface Client {
  readonly frontend: Frontend;
  /** Absent if it does not answer. */
  roots: readonly string[] | undefined;
  /** How often it was asked. */
  asked: number;
  /** What happens when it is asked, before it answers. */
  beforeAnswer: () => void;
  announce(): void;
}

async function connect(
  settings: object = {},
  capabilities: object = { roots: { listChanged: true } },
): Promise<Client> {
  const frontend = fixture.start(settings);
  const client: Client = {
    frontend,
    roots: ['/a'],
    asked: 0,
    beforeAnswer: () => {},
    announce: () => frontend.send({ method: 'notifications/roots/list_changed' }),
  };
  const { stdout } = frontend.child;
  if (!stdout) throw new Error('The frontend has no output.');
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method !== 'roots/list') return;
    client.asked++;
    client.beforeAnswer();
    const roots = client.roots?.map((root) => ({ uri: pathToFileURL(root).href }));
    if (roots) frontend.send({ id, result: { roots } });
  });
  await frontend.initialize('test', capabilities);
  return client;
}

/** What the bridges told, in order. */
function told({ frontend }: Client): unknown[] {
  const entries = frontend.log.map((line) => JSON.parse(line)).filter((entry) => 'stub' in entry);
  return entries.map(({ stub, roots }) => (roots ? `${stub} ${roots}` : stub));
}

/** The frontend has ended, so that all it had to tell is there. */
async function leave({ frontend }: Client): Promise<void> {
  frontend.child.stdin?.end();
  await frontend.exit;
}

test('the first call after the client changed its roots, and all later ones, go to a bridge for these', async () => {
  const client = await connect();
  await client.frontend.call(1, 'echo');
  client.roots = ['/b', '/c'];
  client.announce();
  expect(await client.frontend.call(2, 'echo')).toHaveProperty('result.content');
  expect(await client.frontend.stub('closed')).toEqual({ stub: 'closed', hurried: true });
  await client.frontend.call(3, 'echo');
  expect(client.asked).toBe(2);
  await leave(client);
  const events = told(client);
  expect(events.filter((event) => event !== 'closed')).toEqual([
    'opened /a',
    'called',
    'opened /b,/c',
    'called',
    'called',
  ]);
  expect(events.filter((event) => event === 'closed')).toHaveLength(2);
  expect(events.indexOf('closed')).toBeGreaterThan(events.indexOf('opened /b,/c'));
});

test('the folders that a client without roots sends with a call count from that call on', async () => {
  const client = await connect({}, {});
  const within = (...folders: readonly string[]) => ({
    'x-codex-turn-metadata': { workspaces: Object.fromEntries(folders.map((folder) => [folder, {}])) },
  });
  await client.frontend.call(1, 'echo', {}, within('/a'));
  await client.frontend.call(2, 'echo', {}, within('/a'));
  await client.frontend.call(3, 'echo', {}, within('/b'));
  // A call without any says nothing, and a whole disk is none.
  await client.frontend.call(4, 'echo');
  await client.frontend.call(5, 'echo', {}, within('/'));
  await leave(client);
  expect(client.asked).toBe(0);
  const events = told(client).filter((event) => event !== 'closed');
  expect(events).toEqual(['opened /a', 'called', 'called', 'opened /b', 'called', 'called', 'called']);
});

test('a call that is under way ends on the bridge where it began, which is closed only then', async () => {
  const client = await connect();
  client.frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  await client.frontend.stub('called');
  client.roots = ['/b'];
  client.announce();
  expect(await client.frontend.call(2, 'echo')).toHaveProperty('result.content');
  client.frontend.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await client.frontend.stub('closed');
  expect(told(client)).toEqual(['opened /a', 'called', 'opened /b', 'called', 'aborted', 'closed']);
});

test('a client that goes meanwhile leaves neither bridge open', async () => {
  const client = await connect();
  client.frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait', arguments: {} } });
  await client.frontend.stub('called');
  client.roots = ['/b'];
  client.announce();
  await client.frontend.call(2, 'echo');
  await leave(client);
  expect(told(client).filter((event) => event === 'closed')).toHaveLength(2);
});

test.each([
  ['the same roots', ['/a', '/b']],
  ['the same roots in another order', ['/b', '/a', '/b']],
])('%s after an announcement change nothing', async (_, roots) => {
  const client = await connect({ roots: ['/found'], rootsFromClient: true });
  client.roots = ['/a', '/b'];
  await client.frontend.call(1, 'echo');
  client.roots = roots;
  client.announce();
  await client.frontend.call(2, 'echo');
  await client.frontend.call(3, 'echo');
  expect(client.asked).toBe(2);
  await leave(client);
  expect(told(client)).toEqual(['opened /a,/b', 'called', 'called', 'called', 'closed']);
});

test('a client that does not answer after an announcement is asked again by the next call, and its answer counts', async () => {
  const client = await connect();
  await client.frontend.call(1, 'echo');
  client.roots = undefined;
  client.announce();
  expect(await client.frontend.call(2, 'echo')).toHaveProperty('result.content');
  client.roots = ['/b'];
  await client.frontend.call(3, 'echo');
  await client.frontend.call(4, 'echo');
  expect(client.asked).toBe(3);
  await leave(client);
  const events = told(client).filter((event) => event !== 'closed');
  expect(events).toEqual(['opened /a', 'called', 'called', 'opened /b', 'called', 'called']);
});

test('what is opened without asking the client does not count as its answer', async () => {
  const made = (): Bridge => ({
    config: defaultConfig,
    calls: new CallsInProgress(),
    call: vi.fn(),
    close: vi.fn(async () => {}),
  });
  const [found, told] = [made(), made()];
  const opening = vi.mocked(openBridge).mockResolvedValueOnce(found).mockResolvedValueOnce(told);
  const bridge = new LazyBridge({ surface: 'lspan', log: silent });
  const [unasked, asked] = await Promise.all([
    bridge.openUnasked(['/found']),
    bridge.open(async () => ['/told']),
  ]);
  expect([unasked, asked]).toEqual([found, told]);
  expect(await bridge.openUnasked(['/found'])).toBe(told);
  bridge.doubtRoots();
  expect(await bridge.openUnasked(['/found'])).toBe(told);
  expect(bridge.ready).toBeUndefined();
  await bridge.close();
  expect(opening.mock.calls.map(([{ roots }]) => roots)).toEqual([['/found'], ['/told']]);
});

test('without an announcement the client is asked once', async () => {
  const client = await connect();
  for (const id of [1, 2, 3]) await client.frontend.call(id, 'echo');
  expect(client.asked).toBe(1);
});

test('an announcement alone asks and opens nothing', async () => {
  const client = await connect();
  client.announce();
  await client.frontend.request(1, 'ping');
  expect(client.asked).toBe(0);
  await leave(client);
  expect(told(client)).toEqual([]);
});

test('calls that come together after an announcement share one question and one bridge', async () => {
  const client = await connect();
  await client.frontend.call(1, 'echo');
  client.roots = ['/b'];
  client.announce();
  client.announce();
  await Promise.all([2, 3, 4].map((id) => client.frontend.call(id, 'echo')));
  expect(client.asked).toBe(2);
  await leave(client);
  expect(told(client).filter((event) => String(event).startsWith('opened'))).toEqual([
    'opened /a',
    'opened /b',
  ]);
});

test('roots that change while they are asked for are asked for again by the next call', async () => {
  const client = await connect();
  client.beforeAnswer = () => {
    client.beforeAnswer = () => {
      client.roots = ['/b'];
    };
    client.announce();
    client.frontend.send({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: {} } });
  };
  await client.frontend.call(1, 'echo');
  await client.frontend.answer(2);
  expect(client.asked).toBe(2);
  await leave(client);
  expect(told(client)).toEqual(expect.arrayContaining(['opened /a', 'opened /b']));
});

test('no roots after an announcement mean the folder that was found', async () => {
  const client = await connect({ roots: ['/found'], rootsFromClient: true });
  await client.frontend.call(1, 'echo');
  client.roots = [];
  client.announce();
  await client.frontend.call(2, 'echo');
  await leave(client);
  expect(told(client)).toContain('opened /found');
});

test.each([
  ['what the user named', { roots: ['/user'], rootsFromClient: false }],
  [
    'where the one server of the -s form runs',
    { roots: ['/user'], rootsFromClient: true, bridge: { single: { extensions: ['x'], command: ['y'] } } },
  ],
])('%s is not changed by an announcement', async (_, settings) => {
  const client = await connect(settings);
  await client.frontend.call(1, 'echo');
  client.announce();
  await client.frontend.call(2, 'echo');
  expect(client.asked).toBe(0);
  await leave(client);
  expect(told(client)).toEqual(['opened /user', 'called', 'called', 'closed']);
});

test('a bridge that does not open for changed roots is told, and tried again by the next call', async () => {
  const made = (): Bridge => ({
    config: defaultConfig,
    calls: new CallsInProgress(),
    call: vi.fn(),
    close: vi.fn(async () => {}),
  });
  const [first, second] = [made(), made()];
  const opening = vi
    .mocked(openBridge)
    .mockResolvedValueOnce(first)
    .mockRejectedValueOnce(new Error('It does not open.'))
    .mockResolvedValueOnce(second);
  const bridge = new LazyBridge({ surface: 'lspan', log: silent });
  await bridge.open(async () => ['/a']);
  bridge.doubtRoots();
  await expect(bridge.open(async () => ['/b'])).rejects.toThrow('It does not open.');
  expect(first.close).not.toHaveBeenCalled();
  await bridge.open(async () => ['/b']);
  await bridge.close();
  expect(opening.mock.calls.map(([{ roots }]) => roots)).toEqual([['/a'], ['/b'], ['/b']]);
  for (const { close } of [first, second]) expect(close).toHaveBeenCalledExactlyOnceWith({ hurried: true });
});

test('a bridge whose roots are over answers what its desk was asked before it is closed', async () => {
  const none: CheckedFile = { file: 'a.txt', problems: [], doubts: [] };
  let answer = () => {};
  const checked = new Promise<CheckedFile>((resolve) => {
    answer = () => resolve(none);
  });
  const calls = new CallsInProgress();
  const desk: HostApi = {
    check: () => calls.run(new CallInProgress(), () => checked),
    problems: async () => ({ files: {}, complete: true, doubts: [] }),
    servers: async () => [],
    hold: vi.fn(),
    onProblems: vi.fn(() => () => {}),
  };
  const close = vi.fn(async () => {});
  const call = vi.fn();
  vi.mocked(openBridge)
    .mockResolvedValueOnce({ config: defaultConfig, calls, call, hostApi: desk, close })
    .mockResolvedValueOnce({
      config: defaultConfig,
      calls: new CallsInProgress(),
      call,
      close: async () => {},
    });
  const lazy = new LazyBridge({ surface: 'lspan', log: silent });
  const old = (await lazy.open(async () => ['/a'])).hostApi;
  const asked = old?.check('a.txt', undefined);
  lazy.doubtRoots();
  expect((await lazy.open(async () => ['/b'])).hostApi).toBeUndefined();
  expect(await old?.problems()).toMatchObject({ complete: true });
  old?.hold('a.txt', 'text');
  expect(desk.hold).toHaveBeenCalledExactlyOnceWith('a.txt', 'text');
  expect(close).not.toHaveBeenCalled();
  answer();
  expect(await asked).toBe(none);
  await expect.poll(() => close.mock.calls.length).toBe(1);
  await lazy.close();
});
