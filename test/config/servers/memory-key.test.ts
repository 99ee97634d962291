import { expect, it, vi } from 'vitest';
import { serverSchema } from '../../../src/config/schema/server-schema.ts';
import { readServer } from '../../../src/config/servers/read-server.ts';
import { ask, expectError, expectInOrder, openTestBridge } from '../../test-bridge.ts';

vi.mock('../../../src/servers/index.ts', () => ({ servers: [] }));
vi.mock('../../../src/core/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../../src/core/limits.ts')>();
  return { limits: { ...limits, memoryCheckEvery: 50 } };
});

it('memory_mb of a server overrides the limit for all', async () => {
  const { memory } = readServer(serverSchema.parse({ id: 'fake', memory_mb: 200 }));
  const hog = {
    rules: [
      {
        on: { method: 'textDocument/definition' },
        do: [{ allocate: { megabytes: 250 } }, { never: true }],
      },
    ],
  } as const;
  const bridge = await openTestBridge({ servers: { fake: { memory, lives: [hog, {}] } } });
  expectError(await ask(bridge), 'memory_limit', /limit: 200 MB/);
  await expectInOrder(bridge);
  expect(bridge.pids()).toHaveLength(2);
});
