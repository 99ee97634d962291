import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { silent } from '../../../src/core/log.ts';
import { Channel } from '../../../src/frontends/daemon/channel.ts';
import { connectTo } from '../../../src/frontends/daemon/client/connect.ts';
import { outcomeIn } from '../../../src/frontends/daemon/client/remote-resources.ts';
import { takeInstanceLock } from '../../../src/frontends/daemon/instance-lock.ts';
import { DaemonServer } from '../../../src/frontends/daemon/server/daemon-server.ts';
import { buildOf } from '../../../src/platform/files/identity-files.ts';
import { question } from '../../test-bridge.ts';
import { attach, bin, type DaemonWorld, daemonWorld } from './daemon-world.ts';

/** How many clients there are at a time. */
const atOnce = 20;

describe('a daemon', () => {
  it('DMN-14 holds nothing of a thousand clients that have come and gone', async () => {
    const world = daemonWorld();
    await serve(world);
    await visit(world, 20);
    const before = handles();
    await visit(world, 1_000);
    await expect.poll(() => handles().PipeWrap).toBeLessThanOrEqual(before.PipeWrap ?? 0);
    expect(grown(before, handles())).toEqual([]);
    const stayed = await attach(world);
    expect((await ask(stayed)).data).toMatchObject(question.answer);
    const status = await stayed.request('status', {});
    expect(status).toMatchObject({ clients: [{ calls: 0 }], workspaces: [{ calls: 0 }] });
    expect(status).toHaveProperty('lastCalls.length', limits.daemon.lastCalls);
    expect(world.servers()).toHaveLength(1);
    stayed.close();
  });

  it('DMN-14 has room for others once clients have gone that took all of it', async () => {
    const world = daemonWorld();
    await serve(world);
    const all = await Promise.all(Array.from({ length: limits.daemon.clients }, () => attach(world)));
    const late = await world.open();
    expect(world.reasons).toEqual([`it has ${limits.daemon.clients} clients already.`]);
    expect((await late.call(question.tool, question.input)).data).toMatchObject(question.answer);
    // Who only asks about the daemon takes no place.
    expect((await world.status())[0]?.clients).toHaveLength(limits.daemon.clients);
    const [first] = all;
    first?.close();
    await expect.poll(async () => (await tryOnce(world)) instanceof Channel).toBe(true);
    for (const channel of all) channel.close();
  });
});

/** What Node keeps alive in this process. */
function handles(): Readonly<Record<string, number>> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate');
  return Object.fromEntries(
    [...new Set(kinds)].sort().map((kind) => [kind, kinds.filter((one) => one === kind).length]),
  );
}

/** The kinds of which there is more than before. */
function grown(before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>): string[] {
  return Object.keys(now).filter((kind) => (now[kind] ?? 0) > (before[kind] ?? 0));
}

async function tryOnce(world: DaemonWorld) {
  const found = await connectTo(world.place());
  if (found instanceof Channel) found.close();
  return found;
}

/** Serves in this process, as the daemon of the built program. */
async function serve(world: DaemonWorld): Promise<DaemonServer> {
  const place = world.place();
  const lock = await takeInstanceLock(place);
  const daemon = new DaemonServer({ place, build: buildOf(bin), log: silent });
  onTestFinished(async () => {
    await daemon.close({ hurried: true });
    lock?.release();
  });
  await daemon.listen();
  return daemon;
}

/** Lets clients come and go, some at a time: one of ten asks, and one of twenty goes before its answer. */
async function visit(world: DaemonWorld, count: number): Promise<void> {
  for (let done = 0; done < count; done += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - done) }, async (_, index) => {
        const channel = await attach(world);
        const answer = index % 10 === 0 ? ask(channel).catch(() => undefined) : channel.request('alive', {});
        if (index % 20 !== 0) await answer;
        channel.close();
        await answer;
      }),
    );
}

async function ask(channel: Channel): Promise<{ readonly data: unknown }> {
  return outcomeIn(await channel.request('call', { id: 'x', tool: question.tool, args: question.input }));
}
