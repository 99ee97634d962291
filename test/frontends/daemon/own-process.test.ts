import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld } from './daemon-world.ts';

const wait = vi.hoisted(() => ({ idle: 0 }));

// A client waits minutes less before it looks for a daemon again; the daemon itself stays as long as ever.
vi.mock(import('../../../src/core/limits.ts'), async (original) => {
  const { limits } = await original();
  const daemon = Object.defineProperty({ ...limits.daemon }, 'idle', { get: () => wait.idle });
  return { limits: { ...limits, daemon } };
});

describe('a client that works in its own process because no daemon could be had', () => {
  it('DMN-22 goes to a daemon with the first call after a long rest', async () => {
    const world = daemonWorld();
    const give = withoutPlace(world);
    wait.idle = Number.POSITIVE_INFINITY;
    const bridge = await world.open();
    const ask = async () =>
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    await ask();
    expect(world.reasons).toHaveLength(1);
    give();
    await ask();
    expect(await world.status()).toEqual([]);
    wait.idle = 0;
    await ask();
    expect((await world.status())[0]?.clients).toHaveLength(1);
    expect(world.reasons).toHaveLength(1);
    // The servers of its own process have ended, those of the daemon run.
    expect(world.servers()).toHaveLength(2);
  });

  it('DMN-22 stays there if there is still none', async () => {
    const world = daemonWorld();
    withoutPlace(world);
    wait.idle = 0;
    const bridge = await world.open();
    for (let times = 0; times < 2; times += 1)
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons.length).toBeGreaterThan(1);
  });

  it('DMN-22 hears of problems that change in its own process', async () => {
    const world = daemonWorld();
    withoutPlace(world);
    wait.idle = Number.POSITIVE_INFINITY;
    const bridge = await world.open();
    await bridge.call(question.tool, question.input);
    const heard = new Promise<unknown>((resolve) => {
      bridge.resources?.onProblems(resolve);
    });
    writeFileSync(path.join(world.root, 'b.txt'), 'function gamma\n');
    await bridge.call(question.tool, question.input);
    await heard;
    expect(world.reasons).toHaveLength(1);
  });
});

/** Takes the place of the daemon away; returns a function that gives it back. */
function withoutPlace({ environment }: DaemonWorld): () => void {
  const folder = path.join(environment.XDG_STATE_HOME ?? '', 'lspan');
  writeFileSync(folder, '');
  return () => rmSync(folder);
}
