import { describe, expect, it } from 'vitest';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { openTestBridge, question, type TestBridge, type TestServer } from '../test-bridge.ts';

const patience = { timeout: 120_000 };
const files = {
  'a.txt': 'function alpha\n',
  'b.txt': 'alpha\n',
  'c.md': 'alpha\n',
};
const method = 'textDocument/hover';
const asked = (...actions: Action[]): FakeScript => ({ rules: [{ on: { method }, do: actions }] });
const flood = 10_000_000;

/** What a server does when it is asked for a hover, for as long as anybody looks. */
const misbehaviours: readonly [string, TestServer][] = [
  ['is stopped', { lives: [asked({ signalSelf: 'SIGSTOP' })] }],
  ['neither reads nor answers', { lives: [asked({ stopReadingStdin: true }, { never: true })] }],
  ['computes for ever', { lives: [asked({ busyLoop: true })] }],
  ['is silent', { lives: [asked({ never: true })] }],
  [
    'floods with messages',
    {
      lives: [
        asked({ notify: { method: 'window/logMessage', params: { type: 4, message: 'x' }, times: flood } }),
      ],
    },
  ],
  [
    'floods its stderr',
    { lives: [asked({ stderr: { bytes: 100 * flood, newline: true } }, { never: true })] },
  ],
  [
    'asks without end',
    {
      lives: [asked({ request: { method: 'workspace/configuration', params: { items: [] }, times: flood } })],
    },
  ],
];

const bad = (bridge: TestBridge, signal: AbortSignal) =>
  bridge.call('get_hover', { file_path: 'c.md', line: 1, character: 1 }, { signal });

async function expectGoodAnswers(bridge: TestBridge, times: number): Promise<void> {
  for (let call = 0; call < times; call += 1) {
    const { data } = await bridge.call(question.tool, question.input);
    expect(data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt', line: 1 }] });
  }
}

describe('PRC-06 a server does not wait for another one', () => {
  it.each(misbehaviours)(
    'that %s: fifty answers come while that one is still awaited',
    patience,
    async (_what, server) => {
      const bridge = await openTestBridge({
        files,
        servers: { good: {}, bad: { extensions: ['md'], ...server } },
      });
      await expectGoodAnswers(bridge, 1);
      let pending = true;
      const caller = new AbortController();
      const held = bad(bridge, caller.signal).finally(() => {
        pending = false;
      });
      await bridge.sent(method);
      await expectGoodAnswers(bridge, 50);
      expect(pending).toBe(true);
      caller.abort();
      expect((await held).data).toMatchObject({ error: { code: 'cancelled' } });
      expect(bridge.pids('good')).toHaveLength(1);
    },
  );

  it(
    'PRC-02 that crashes at each start, is left alone for it, and is asked all the time',
    patience,
    async () => {
      const crashing: TestServer = { extensions: ['md'], before: 'echo "$$" >> "$0"; exit 3' };
      const bridge = await openTestBridge({ files, servers: { good: {}, bad: crashing } });
      await expectGoodAnswers(bridge, 1);
      const caller = new AbortController();
      let isLeftAlone = false;
      const askBad = async () => {
        while (true) {
          const { data, text } = await bad(bridge, caller.signal);
          if (caller.signal.aborted) return;
          expect(data).toMatchObject({ error: { code: 'server_crashed' } });
          isLeftAlone ||= text.includes('can restart in');
        }
      };
      const askGood = async () => {
        while (!isLeftAlone) await expectGoodAnswers(bridge, 1);
        await expectGoodAnswers(bridge, 50);
        caller.abort();
      };
      // Neither goes on without the other: whichever fails first ends the test, and the bridge with it.
      await Promise.all([askBad(), askGood()]);
      expect(bridge.pids('good')).toHaveLength(1);
    },
  );
});
