import { afterAll, expect, test } from 'vitest';
import { Fixture, type Frontend } from './start-frontend.ts';

const fixture = new Fixture();
afterAll(() => fixture.close());

/** A surface by a contract, whose answers and failures have one form, whatever the client and the user's choice. */
async function start(settings: object = {}, environment = {}): Promise<Frontend> {
  const frontend = fixture.start(
    { roots: ['/w'], bridge: { surface: 'contract' }, ...settings },
    environment,
  );
  await frontend.initialize('claude-code');
  return frontend;
}

async function withSdk(environment = {}): Promise<Frontend> {
  const frontend = await start({}, environment);
  expect(await frontend.request('sdk', 'no/such/method')).toHaveProperty('error.code', -32601);
  return frontend;
}

test.each(['auto', 'text'])(
  'answers are structured with --output %s, and their schema is declared',
  async (output) => {
    const frontend = await start({ output });
    const list = await frontend.request(1, 'tools/list');
    expect(list).toMatchObject({
      result: {
        tools: [{ name: 'echo', outputSchema: { type: 'object', additionalProperties: false } }, {}, {}],
      },
    });
    expect(await frontend.call(2, 'echo')).toMatchObject({
      result: { content: [{ type: 'text', text: 'One line.' }], structuredContent: { echo: {} } },
    });
  },
);

test('a failure is an error of the protocol with a code, whether it may pass, and the next step', async () => {
  const frontend = await start();
  expect(await frontend.call(1, 'fails')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: {
      code: -32602,
      message: 'No such file. Pass the URI of an existing file.',
      data: { code: 'NOT_FOUND', retryable: false, nextStep: 'Pass the URI of an existing file.' },
    },
  });
});

test('so is a bridge that does not open', async () => {
  const frontend = await start({}, { STUB_OPEN: 'fails' });
  const { error } = await frontend.call(1, 'echo');
  expect(error).toMatchObject({ code: -32000, data: { code: 'PROVIDER_UNAVAILABLE', retryable: false } });
});

test('a tool that is not offered is a failure with a code too', async () => {
  const frontend = await start();
  expect(await frontend.call(1, 'nonsense')).toMatchObject({
    error: { code: -32602, data: { code: 'INVALID_PARAMS', retryable: false, nextStep: expect.any(String) } },
  });
});

test.each(['echo', 'fails', 'nonsense'])('%s gets the same bytes from us as from the SDK', async (name) => {
  const lines = async (frontend: Frontend) => {
    await frontend.request(1, 'tools/call', { name });
    return frontend.output.filter((line) => !line.includes('"id":"sdk"'));
  };
  expect(await lines(await start())).toEqual(await lines(await withSdk()));
});

test('TRN-18 a call that is cancelled has no answer, not even an error', async () => {
  const frontend = await start();
  frontend.send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
  await frontend.stub('called');
  frontend.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await frontend.stub('aborted');
  await frontend.call(2, 'echo');
  expect(frontend.messages().map((message) => message.id)).toEqual(['init', 2]);
});
