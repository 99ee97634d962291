import { expect, it, vi } from 'vitest';
import { MemoryBudget } from '../../src/backends/lsp/process/memory-budget.ts';
import { limits } from '../../src/core/limits.ts';
import type { FakeScript } from '../fake-server/script.ts';
import {
  ask,
  expectError,
  expectInOrder,
  openTestBridge,
  question,
  type TestBridge,
} from '../test-bridge.ts';

vi.mock('../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/core/limits.ts')>();
  return {
    limits: { ...limits, memoryCheckEvery: 50, memoryBudget: { ...limits.memoryBudget, wait: 300 } },
  };
});

const patience = { timeout: 120_000 };
const { newcomer } = limits.memoryBudget;

/** A budget on a machine that has this much for servers. */
const budgetOf = (most: number) => new MemoryBudget({ machine: () => most / limits.memoryBudget.share });

const status = async (bridge: TestBridge) => (await bridge.call('get_server_status', {})).data;

it('PRC-26 two roots share a budget: the idle server of one goes, and the asked one of the other answers', async () => {
  const memoryBudget = budgetOf(1.5 * newcomer);
  const [one, other] = [await openTestBridge({ memoryBudget }), await openTestBridge({ memoryBudget })];
  await expectInOrder(one);
  await expectInOrder(other);
  const reason = expect.stringMatching(
    /^Stopped while idle, for fake to start with about \d+ MB: 1 language server used about \d+ MB \(limit of all: 192 MB\)\.$/,
  );
  expect(await status(one)).toMatchObject({
    servers: [{ state: 'stopped', restarts: 0, last_errors: [reason] }],
  });
  expect((await one.call('get_server_status', {})).text).toMatch(
    /^fake \(txt\): stopped\n(.*\n)* {2}! Stopped while idle, /m,
  );
  expect(await status(other)).toMatchObject({ servers: [{ state: 'running', last_errors: [] }] });
  await expectInOrder(one);
  expect(await status(one)).toMatchObject({ servers: [{ state: 'running', last_errors: [] }] });
  expect(await status(other)).toMatchObject({ servers: [{ state: 'stopped', last_errors: [reason] }] });
  expect([one.pids(), other.pids()].map(({ length }) => length)).toEqual([2, 1]);
});

it('PRC-26 a server cannot start beside a busy one that needs the memory; once that is idle, it can', async () => {
  const memoryBudget = budgetOf(1.5 * newcomer);
  const held: FakeScript = {
    rules: [{ on: { method: 'textDocument/definition' }, do: [{ waitFor: 'textDocument/hover' }] }],
  };
  const one = await openTestBridge({ memoryBudget, servers: { fake: { lives: [held] } } });
  const other = await openTestBridge({ memoryBudget });
  const asked = ask(one);
  await one.sent('textDocument/definition');
  expectError(
    await ask(other),
    'busy',
    /fake needs about \d+ MB of memory to start, but 1 busy language server used about \d+ MB \(limit of all: 192 MB\)/,
  );
  expect(other.pids()).toEqual([]);
  await one.call('get_hover', question.input);
  expect((await asked).data).toMatchObject({ complete: true, ...question.answer });
  await expectInOrder(other);
});

it(
  'PRC-27 a server that grows drives out an idle one, then is ended itself, and its next answer is in doubt',
  patience,
  async () => {
    const memoryBudget = budgetOf(3 * newcomer);
    const hog: FakeScript = {
      rules: [
        {
          on: { method: 'textDocument/definition' },
          do: [{ allocate: { megabytes: 450 } }, { never: true }],
        },
      ],
    };
    const idle = await openTestBridge({ memoryBudget });
    const grown = await openTestBridge({ memoryBudget, servers: { fake: { lives: [hog, {}] } } });
    await expectInOrder(idle);
    expectError(
      await ask(grown),
      'memory_limit',
      /fake and its child processes used \d{3} MB of memory and were stopped: 1 language server used \d{3} MB \(limit of all: 384 MB\)/,
    );
    expect(await status(idle)).toMatchObject({
      servers: [
        {
          state: 'stopped',
          last_errors: [
            expect.stringMatching(
              /^Stopped while idle: 2 language servers used \d{3} MB \(limit of all: 384 MB\)\.$/,
            ),
          ],
        },
      ],
    });
    await expect
      .poll(() => status(grown))
      .toMatchObject({
        servers: [
          { state: 'crashed', restarts: 1, last_errors: [expect.stringContaining('limit of all: 384 MB')] },
        ],
      });
    const again = await ask(grown);
    expect(again.data).toMatchObject({
      complete: false,
      doubts: [
        {
          kind: 'server_restarted',
          detail:
            'fake was stopped because all language servers used too much memory and was restarted. Call again to be sure.',
        },
      ],
      ...question.answer,
    });
    await expectInOrder(grown);
    expect(grown.pids()).toHaveLength(2);
  },
);
