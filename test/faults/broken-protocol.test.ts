import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge, question } from '../test-bridge.ts';

const whenAsked = (...actions: Action[]): FakeScript => ({
  rules: [{ on: { method: 'textDocument/definition' }, do: actions }],
});
const open = (...lives: FakeScript[]) => openTestBridge({ servers: { fake: { lives } } });
const lines = (count: number) => Array.from({ length: count }, (_, line) => `INFO line ${line}`);

describe('a server that breaks the protocol is replaced', () => {
  const faults: readonly [string, readonly Action[]][] = [
    ['PRO-01 100 MB without an end of header', [{ headerWithoutEnd: { megabytes: 100 } }]],
    ['PRO-03 a message of 65 MiB', [{ rawBytes: { text: `Content-Length: ${65 << 20}\r\n\r\n` } }]],
    ['PRO-04 a length too short by one', [{ badLength: { delta: -1 } }]],
    [
      'PRO-04 a length too long by one',
      [{ badLength: { delta: 1 } }, { reply: 'auto' }, { notify: { method: '$/a' } }],
    ],
    ['PRO-05 101 lines of a log', [{ garbage: lines(101) }]],
    ['PRO-07 invalid UTF-8', [{ invalidUtf8: true }]],
    ['PRO-09 257 levels', [{ depth: 257 }]],
  ];
  it.each(faults)('%s: the question is asked again of a new one', async (_what, actions) => {
    const bridge = await open(whenAsked(...actions), {});
    const { data, isError } = await ask(bridge);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      doubts: [{ kind: 'server_restarted', server: 'fake' }],
      ...question.answer,
    });
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(2);
  });

  it.each(faults)(
    '%s, each time: one clear error, and the call after it is answered',
    async (_what, actions) => {
      const bridge = await open(whenAsked(...actions), whenAsked(...actions), {});
      expectError(await ask(bridge), 'server_crashed', /fake broke the protocol: \w+/);
      await expectInOrder(bridge);
      expect(bridge.pids()).toHaveLength(3);
    },
  );
});

describe('a server that is only odd is kept', () => {
  const oddities: readonly [string, readonly Action[]][] = [
    ['PRO-05 100 lines of a log', [{ garbage: lines(100) }]],
    ['PRO-06 one byte a write', [{ splitEveryByte: true }]],
    ['PRO-08 a byte order mark', [{ bom: true }]],
    ['PRO-11 a reply with an unknown id before', [{ replyWrongId: true }, { reply: 'auto' }]],
    ['PRO-12 a request under the id of ours', [{ sameIdRequest: { method: 'workspace/workspaceFolders' } }]],
  ];
  it.each(oddities)('%s', async (_what, actions) => {
    const bridge = await open(whenAsked(...actions));
    await expectInOrder(bridge);
    await expectInOrder(bridge);
    expect(bridge.pids()).toHaveLength(1);
  });
});
