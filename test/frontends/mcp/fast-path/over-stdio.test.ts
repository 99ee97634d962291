import { afterAll, expect, test } from 'vitest';
import { Fixture, type Frontend } from '../start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

/** The workspace is named, so nothing has to be asked of the client, and plain calls need no SDK. */
const named = { roots: ['/w'] };

async function plain(client?: string): Promise<Frontend> {
  const frontend = fixture.start(named);
  await frontend.initialize(client);
  return frontend;
}

/** One whose SDK is there before the first call: nobody else answers a method that does not exist. */
async function withSdk(client?: string): Promise<Frontend> {
  const frontend = await plain(client);
  expect(await frontend.request('sdk', 'no/such/method')).toHaveProperty('error.code', -32601);
  return frontend;
}

const calls: readonly (readonly [title: string, params: Record<string, unknown>])[] = [
  ['a call', { name: 'echo', arguments: { line: 1 } }],
  ['a call without arguments', { name: 'echo' }],
  ['a call that fails', { name: 'fails' }],
  ['a call with progress', { name: 'reports', _meta: { progressToken: 'token' } }],
  ['a tool that is not offered', { name: 'nonsense' }],
  ['a tool without a name', {}],
  ['arguments that are a list', { name: 'echo', arguments: [] }],
  ['arguments that are nothing', { name: 'echo', arguments: null }],
  ['a field more', { name: 'echo', task: { ttl: 1 } }],
  ['a token that is none', { name: 'echo', _meta: { progressToken: {} } }],
  ['a claim of another kind', { name: 'echo', _meta: { 'example.com/trace': 'x' } }],
];

test.each(calls)('%s gets the same bytes from us as from the SDK', async (_, params) => {
  const lines = async (frontend: Frontend) => {
    await frontend.request(1, 'tools/call', params);
    // Of a process that the machine let wait in between, a further step may be told.
    return frontend.output.filter((line) => !/"id":"sdk"|"progress":[2-9]/.test(line));
  };
  expect(await lines(await plain())).toEqual(await lines(await withSdk()));
});

test('a client that shows the model the data instead of the text is known by its handshake', async () => {
  const frontend = await plain('claude-code');
  expect(await frontend.call(1, 'echo')).not.toHaveProperty('result.structuredContent');
});

test('TRN-18 a plain call that is cancelled is aborted and has no answer, and odd cancellations harm nothing', async () => {
  const frontend = await plain();
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

test('a plain call that waits can still be cancelled when the SDK has come', async () => {
  const frontend = await plain();
  frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
  await frontend.stub('called');
  await frontend.request('sdk', 'no/such/method');
  frontend.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await frontend.stub('aborted');
  await frontend.call(2, 'echo');
  expect(frontend.messages().map((message) => message.id)).toEqual(['init', 'sdk', 2]);
});

test('a client that goes does not leave a plain call running', async () => {
  const frontend = await plain();
  frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
  await frontend.stub('called');
  frontend.child.stdin?.end();
  await frontend.stub('aborted');
  await frontend.exit;
});

test('a call before the handshake is judged by the SDK', async () => {
  const lines = async (first: boolean) => {
    const frontend = fixture.start(named);
    if (first) await frontend.request('sdk', 'no/such/method');
    await frontend.call(1, 'echo');
    return frontend.output.filter((line) => !line.includes('"id":"sdk"'));
  };
  expect(await lines(false)).toEqual(await lines(true));
});
