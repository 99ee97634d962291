import { describe, expect, it, vi } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge } from '../test-bridge.ts';

vi.mock('../../src/servers/index.ts', () => import('./definitions.ts'));

const start = { line: 0, character: 0 };
const places = [{ uri: 'file://<root>/b.txt', range: { start, end: start } }];
const partial = (token: string | number, value: unknown = places): Action => ({
  notify: { method: '$/progress', params: { token, value } },
});
/** A server that is known as ready, so that it is believed that there is nothing. */
const open = (...actions: Action[]) => {
  const script: FakeScript = { rules: [{ on: { method: 'textDocument/definition', nth: 1 }, do: actions }] };
  return openTestBridge({ servers: { ready: { lives: [script] } } });
};

describe('PRO-18 partial results that lspan did not ask for', () => {
  const answers: readonly [string, readonly Action[]][] = [
    ['under a token that nobody gave', [partial('token'), { reply: 'auto' }]],
    ['under the id of the question', [partial(1), partial(2), partial(3), { reply: 'auto' }]],
    ['after the answer', [{ reply: 'auto' }, partial('token')]],
    ['of no shape', [partial('t', null), partial('t', 7), partial('t', { kind: 7 }), { reply: 'auto' }]],
    [
      '100,000 of them',
      [{ notify: { method: '$/progress', params: { token: 't', value: places }, times: 100_000 } }],
    ],
  ];
  it.each(answers)('are not mixed into the answer: %s', async (_what, actions) => {
    const bridge = await open(...actions);
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids('ready')).toHaveLength(1);
  });

  it.each([
    ['null', null],
    ['an empty list', []],
  ])('do not turn %s at the end into an answer', async (_what, replyValue) => {
    const bridge = await open(partial('token'), { replyValue }, partial('token'));
    expectError(await ask(bridge), 'server_unverified', /cannot resolve "alpha" here/);
    await expectInOrder(bridge);
  });

  it('are not asked for where the question is about one symbol: its request carries no token for them', async () => {
    const bridge = await open();
    await expectInOrder(bridge);
    expect(JSON.stringify(bridge.received('ready'))).not.toContain('partialResultToken');
  });
});
