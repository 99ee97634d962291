import { describe, expect, it } from 'vitest';
import { witness } from '../backends/lsp/process/witness.ts';
import type { Action, FakeScript } from '../fake-server/script.ts';
import { ask, expectError, expectInOrder, openTestBridge } from '../test-bridge.ts';

const patience = { timeout: 120_000 };
/** A child of the server, of which only the kernel knows. */
const grandchild = 'sleep 1000000 &';

describe('the end of a bridge leaves no process', () => {
  const stubborn: FakeScript = {
    rules: [
      { on: { start: true }, do: [{ ignoreSigterm: true }, { ignoreEnd: true }] },
      { on: { method: 'shutdown' }, do: [{ never: true }] },
      { on: { method: 'exit' }, do: [{ never: true }] },
    ],
  };
  it.each([true, false])(
    'PRC-12 of a server that ignores shutdown, exit, SIGTERM and the end of its input, and of its child, hurried: %s',
    patience,
    async (hurried) => {
      const { hold, allGone } = witness();
      const before = `${hold}\n${grandchild}`;
      const bridge = await openTestBridge({ servers: { fake: { lives: [stubborn], before } } });
      await expectInOrder(bridge);
      await bridge.close({ hurried });
      await allGone;
      expect(bridge.received().map(({ method }) => method)).toContain('shutdown');
    },
  );

  it('PRC-12 of a server that goes politely and leaves its child behind', async () => {
    const { hold, allGone } = witness();
    const bridge = await openTestBridge({ servers: { fake: { before: `${hold}\n${grandchild}` } } });
    await expectInOrder(bridge);
    await bridge.close();
    await allGone;
    expect(bridge.received().map(({ method }) => method)).toContain('exit');
  });

  it('of a server that still starts, without waiting for it', async () => {
    const { hold, allGone } = witness();
    const sign: Action = { notify: { method: '$/begun' } };
    const never: FakeScript = { rules: [{ on: { method: 'initialize' }, do: [sign, { never: true }] }] };
    const bridge = await openTestBridge({
      servers: { fake: { lives: [never], before: hold, initializeTimeout: 900_000 } },
    });
    const asked = ask(bridge);
    await bridge.traced.nth(({ direction }) => direction === 'from_server');
    await bridge.close({ hurried: true });
    await allGone;
    expect((await asked).isError).toBe(true);
  });

  it('of a server that was to be started again after a crash', async () => {
    const crash: FakeScript = {
      rules: [{ on: { method: 'textDocument/definition' }, do: [{ exit: { code: 5 } }] }],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [crash] } } });
    const asked = ask(bridge);
    await bridge.logged.nth(({ event }) => event === 'server_restarting');
    await bridge.close({ hurried: true });
    expect((await asked).isError).toBe(true);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('and starts none for a call that comes after it', async () => {
    const bridge = await openTestBridge();
    await expectInOrder(bridge);
    await bridge.close();
    expect((await ask(bridge)).isError).toBe(true);
    expect(bridge.pids()).toHaveLength(1);
  });

  it('while a question is under way: the question ends too', async () => {
    const held: FakeScript = {
      rules: [{ on: { method: 'textDocument/definition' }, do: [{ never: true }] }],
    };
    const bridge = await openTestBridge({ servers: { fake: { lives: [held] } } });
    const asked = ask(bridge);
    await bridge.sent('textDocument/definition');
    await bridge.close({ hurried: true });
    expectError(await asked, 'cancelled', /lspan is stopping/);
    expect(bridge.pids()).toHaveLength(1);
  });
});

describe('pipes', () => {
  const big = { 'a.txt': 'function alpha\n', 'b.txt': `alpha\n${'x'.repeat(3_900_000)}\n` };

  it('PRC-05 a server that dies with megabytes still unread is asked again', async () => {
    const deaf: FakeScript = {
      rules: [
        {
          on: { method: 'initialized' },
          do: [{ stopReadingStdin: true }, { delayMs: 100 }, { exit: { code: 7 } }],
        },
      ],
    };
    const bridge = await openTestBridge({ files: big, servers: { fake: { lives: [deaf, {}] } } });
    expect((await ask(bridge)).data).toMatchObject({
      doubts: [{ kind: 'server_restarted' }],
      definitions: [{ file_path: 'a.txt' }],
    });
    expect((await ask(bridge)).data).toMatchObject({ complete: true, definitions: [{ file_path: 'a.txt' }] });
  });

  it.each([true, false])(
    'PRC-09 100 MB on stderr harm nobody, with line ends: %s',
    patience,
    async (newline) => {
      const flood: Action = { stderr: { bytes: 100_000_000, newline } };
      const loud: FakeScript = {
        rules: [{ on: { method: 'textDocument/definition' }, do: [flood, { reply: 'auto' }, flood] }],
      };
      const bridge = await openTestBridge({ servers: { fake: { lives: [loud] } } });
      await expectInOrder(bridge);
      await expectInOrder(bridge);
    },
  );
});
