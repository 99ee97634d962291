import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { holderOf } from '../../../src/frontends/daemon/instance-lock.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, isRunning } from './daemon-world.ts';

/** Takes something away by which clients find the daemon. */
const losses: readonly (readonly [string, (world: DaemonWorld) => void])[] = [
  ['the state folder was deleted', ({ daemons }) => rmSync(path.dirname(daemons), { recursive: true })],
  [
    'the state folder was moved',
    ({ daemons }) => renameSync(path.dirname(daemons), path.join(path.dirname(daemons), '..', 'moved')),
  ],
  ['its socket was deleted', ({ place }) => rmSync(place().socket)],
  ['its secret was deleted', ({ place }) => rmSync(place().secret)],
  ['its process is another one’s', ({ place }) => replace(place().process)],
];

describe('a daemon that clients cannot find any more', () => {
  it.each(losses)('DMN-23 because %s leaves, and the next client starts another one', async (_, lose) => {
    const world = daemonWorld();
    const old = await world.open();
    expect((await old.call(question.tool, question.input)).data).toMatchObject(question.answer);
    const [pid, [server = 0]] = [await world.pid(), world.servers()];
    lose(world);
    const next = await world.open();
    expect((await next.call(question.tool, question.input)).data).toMatchObject(question.answer);
    await expect.poll(() => [pid, server].filter(isRunning)).toEqual([]);
    expect((await old.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
    expect(await world.pid()).not.toBe(pid);
  });

  it('DMN-23 removes nothing of another daemon that took its place', async () => {
    const world = daemonWorld();
    await world.warm();
    const pid = await world.pid();
    const { socket, secret, process: file } = world.place();
    for (const one of [socket, secret, file]) replace(one);
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect([socket, secret, file].map((one) => existsSync(one))).toEqual([true, true, true]);
    expect(holderOf(file)).toBeUndefined();
  });
});

function replace(file: string): void {
  writeFileSync(`${file}.other`, 'another', { mode: 0o600 });
  renameSync(`${file}.other`, file);
}
