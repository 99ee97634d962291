import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleRunner } from './bundle-runner.ts';
import { type Run, run } from './run.ts';

const rounds = Number(process.env.LSPAN_KILL_ROUNDS ?? 10);
const patience = { timeout: 120_000 + rounds * 1_000 };

describe.skipIf(process.platform !== 'linux')('nothing survives lspan', () => {
  let runner: Awaited<ReturnType<typeof bundleRunner>>;
  const start = (act: string): Run => run(process.execPath, [runner.file, act]);

  beforeAll(async () => {
    runner = await bundleRunner();
  });

  afterAll(() => runner.remove());

  it(
    `PRC-13 PRC-16 a kill at any moment leaves no server, no grandchild, no daemon and no watchdog, ${rounds} times`,
    patience,
    async () => {
      const seed = Number(process.env.LSPAN_SEED ?? Date.now() % 1_000_000);
      console.log(`seed ${seed}`);
      const random = generator(seed);
      for (let round = 0; round < rounds; round += 1) {
        const victim = start('serve');
        const moment = ['starting', 'spawned', 'up'][round % 3] ?? 'up';
        await victim.said(moment);
        // Not a wait for anything: the moment of the kill is what the round tries.
        setTimeout(() => victim.child.kill('SIGKILL'), random() * 8);
        await victim.exited;
        await victim.allGone;
      }
    },
  );

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL', 'SIGSEGV'] as const)(
    'PRC-14 a death by %s takes the servers along',
    patience,
    async (signal) => {
      const victim = start('serve');
      await victim.said('up');
      victim.child.kill(signal);
      await victim.allGone;
    },
  );

  it('PRC-14 an interrupt of the whole terminal group takes the servers along', patience, async () => {
    const victim = start('serve');
    await victim.said('up');
    process.kill(-(victim.child.pid ?? Number.NaN), 'SIGINT');
    await victim.allGone;
  });

  it('PRC-14 an exception that nobody catches takes the servers along', patience, async () => {
    const victim = start('fail');
    expect(await victim.exited).toEqual([1, null]);
    await victim.allGone;
  });

  it('starts one watchdog, with that word among its arguments', patience, async () => {
    const victim = start('serve');
    expect((await victim.said('up')).watchdogs).toHaveLength(1);
    victim.child.kill('SIGKILL');
    await victim.allGone;
  });

  it(
    'ends by itself when its server has stopped: the watchdog keeps nothing alive and goes too',
    patience,
    async () => {
      const leaver = start('leave');
      await leaver.said('stopped');
      expect(await leaver.exited).toEqual([0, null]);
      await leaver.allGone;
    },
  );

  it(
    'TRN-29 a server has the descriptors 0, 1 and 2 only, although lspan inherited another',
    patience,
    async () => {
      const { said, exited } = start('descriptors');
      expect((await said('closed')).descriptors).toContain(40);
      expect(await said('up')).toMatchObject({ server: [0, 1, 2], watchdog: [0, 1, 2] });
      await exited;
    },
  );

  it('TRN-26 notices that its parent has died, whatever else it still hears', patience, async () => {
    const parent = run('/bin/sh', ['-c', '"$@"; exit', 'parent', process.execPath, runner.file, 'orphan']);
    await parent.said('watching');
    parent.child.kill('SIGKILL');
    await parent.said('gone');
    await parent.allGone;
  });
});

/** A linear congruential generator: random enough to choose moments, and repeatable. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
