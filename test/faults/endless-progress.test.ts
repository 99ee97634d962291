import { expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

const method = 'textDocument/definition';

it('TRN-20 a server that tells of progress for ever does not keep a call beyond its time', async () => {
  const report: Action = { progress: { token: 'endless', kind: 'report', message: 'still at it' } };
  const steps = Array.from({ length: 200 }, (): Action[] => [report, { delayMs: 20 }]).flat();
  const endless: FakeScript = {
    rules: [
      {
        on: { method, nth: 1 },
        do: [{ progress: { token: 'endless', kind: 'begin', title: 'Working' } }, ...steps, { never: true }],
      },
    ],
  };
  const bridge = await openTestBridge({ deadline: 2_000, servers: { fake: { lives: [endless] } } });
  // Until the server is up, so that the time is not spent on its start.
  while ((await bridge.call('get_hover', question.input)).isError);
  expectError(await ask(bridge), 'timed_out', /2 s/);
  const asked = bridge.received().find((message) => message.method === method);
  await bridge.sent('$/cancelRequest');
  expect(bridge.traced.all.map(({ message }) => message)).toContainEqual({
    jsonrpc: '2.0',
    method: '$/cancelRequest',
    params: { id: asked?.id },
  });
  await expectInOrder(bridge);
});

it('TRN-18 what a caller cancels is cancelled at the server, which answers the next call', async () => {
  const silent: FakeScript = { rules: [{ on: { method, nth: 1 }, do: [{ never: true }] }] };
  const bridge = await openTestBridge({ servers: { fake: { lives: [silent] } } });
  const giveUp = new AbortController();
  const asking = ask(bridge, { signal: giveUp.signal });
  await bridge.sent(method);
  giveUp.abort();
  expect(await asking).toMatchObject({ isError: true, data: { error: { code: 'cancelled' } } });
  await bridge.sent('$/cancelRequest');
  await expectInOrder(bridge);
  const [asked] = bridge.received().filter((message) => message.method === method);
  const cancelled = bridge.received().filter((message) => message.method === '$/cancelRequest');
  expect(cancelled.map(({ params }) => params)).toEqual([{ id: asked?.id }]);
});
