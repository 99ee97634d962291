import { expect, it } from 'vitest';
import { biome } from '../../src/servers/biome.ts';
import type { FakeScript } from '../fake-server/script.ts';
import { openTestBridge } from '../test-bridge.ts';

const dying: FakeScript = { rules: [{ on: { start: true }, do: [{ exit: { code: 1 } }] }] };

const dyingBeforeItIsReady: FakeScript = {
  rules: [{ on: { method: 'initialized' }, do: [{ exit: { code: 1 } }] }],
};

/** What the definition waits for before problems count. */
const scanning: FakeScript = {
  rules: [
    {
      on: { method: 'initialized' },
      do: [
        { progress: { token: 1, kind: 'begin', title: 'Biome is scanning the project' } },
        { progress: { token: 1, kind: 'end' } },
      ],
    },
  ],
};

function open(...lives: readonly FakeScript[]) {
  const files = { 'biome.json': '{}', 'a.ts': 'function alpha\n' };
  return openTestBridge({ files, servers: { biome: { extensions: ['ts'], lives } } });
}

it('a server that may give up on a slow daemon is started again within the call', async () => {
  const bridge = await open(dying, dying, scanning);
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.ts' });
  expect(data).toMatchObject({ complete: true, doubts: [] });
  expect(bridge.pids('biome')).toHaveLength(3);
});

it('a server that gives up after its handshake and before it is ready is started again without a doubt', async () => {
  const bridge = await open(dyingBeforeItIsReady, scanning);
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.ts' });
  expect(data).toMatchObject({ complete: true, doubts: [] });
  expect(bridge.pids('biome')).toHaveLength(2);
});

it('a server that was ready and then ends in the call is a crash, and a doubt', async () => {
  const dyingWhenAsked: FakeScript = {
    rules: [
      ...(scanning.rules ?? []),
      { on: { method: 'textDocument/diagnostic' }, do: [{ exit: { code: 1 } }] },
    ],
  };
  const bridge = await open(dyingWhenAsked, scanning);
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.ts' });
  expect(data).toMatchObject({
    doubts: expect.arrayContaining([expect.objectContaining({ kind: 'server_restarted' })]),
  });
});

it('a server that gives up every time is an error, after as many starts as its definition allows', async () => {
  const bridge = await open(dying);
  const { data, isError } = await bridge.call('get_diagnostics', { file_path: 'a.ts' });
  expect(isError).toBe(true);
  expect(data).toMatchObject({ error: { code: 'server_crashed' } });
  expect(bridge.pids('biome')).toHaveLength(biome.program.startAttempts ?? 1);
});
