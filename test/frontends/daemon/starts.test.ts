import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toFrame } from '../../../src/frontends/daemon/frames.ts';
import { makeSecret, protocolRevision } from '../../../src/frontends/daemon/hello.ts';
import { holderOf } from '../../../src/frontends/daemon/instance-lock.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld, isRunning } from './daemon-world.ts';

/** Leaves what a daemon that was killed leaves at some step of its start, or long after. */
type Leave = (world: DaemonWorld) => void | Promise<void>;

const me = thisProcess();
const process1 = { ...me, pid: 1 };

const leftovers: readonly (readonly [string, Leave])[] = [
  ['a secret without a socket', ({ place }) => void makeSecret(place().secret)],
  [
    'a secret and a process that has ended',
    ({ place }) => {
      makeSecret(place().secret);
      write(place().process, { ...me, pid: 999_999_999 });
    },
  ],
  [
    'a process of another boot',
    ({ place }) => write(place().process, { ...process1, boot: 'another', started: 1 }),
  ],
  ['a process whose number was used again', ({ place }) => write(place().process, { ...me, started: 1 })],
  ['no process, but JSON', ({ place }) => write(place().process, null)],
  ['half a file', ({ place }) => writeFileSync(place().process, '{"pid":', { mode: 0o600 })],
  ['an empty secret', ({ place }) => writeFileSync(place().secret, '', { mode: 0o600 })],
  ['a secret that others can read', ({ place }) => writeFileSync(place().secret, 'x', { mode: 0o644 })],
  ['a link in the place of the secret', ({ place }) => symlinkSync('/etc/passwd', place().secret)],
  ['a file in the place of the socket', ({ place }) => writeFileSync(place().socket, '')],
  ['a link to nowhere in the place of the socket', ({ place }) => symlinkSync('/nowhere', place().socket)],
  ['a socket that nobody listens to', leaveSocket],
];

describe('a daemon starts', () => {
  it.each(leftovers)('DMN-05 although there is %s', async (_, leave) => {
    const world = daemonWorld();
    await leave(world);
    const bridge = await world.open();
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
    expect(holderOf(world.place().process)?.pid).toBe(await world.pid());
    expect(isRunning(1)).toBe(true);
    expect(readFileSync('/etc/passwd', 'utf8')).not.toBe('');
  });

  it.each(['lock', 'secret', 'process', 'socket'] as const)(
    'DMN-05 although one was killed as soon as its %s was there',
    async (step) => {
      const world = daemonWorld();
      const nodeFlags = ['--require', path.join(import.meta.dirname, 'kill-at-start.cjs')];
      const daemon = world.start(['daemon'], { nodeFlags, environment: { TEST_KILL_AFTER: step } });
      expect(await once(daemon, 'exit')).toEqual([null, 'SIGKILL']);
      const { secret, process: file } = world.place();
      expect([existsSync(secret), existsSync(file)]).toEqual([
        step !== 'lock',
        step === 'process' || step === 'socket',
      ]);
      const bridge = await world.open();
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      expect(world.reasons).toEqual([]);
    },
  );

  it('DMN-05 after one was killed while it served, again and again', async () => {
    const world = daemonWorld();
    const bridge = await world.open();
    for (let round = 1; round <= 3; round += 1) {
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      process.kill(await world.pid(), 'SIGKILL');
    }
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
  });
});

function write(file: string, value: object | null): void {
  writeFileSync(file, JSON.stringify(value), { mode: 0o600 });
}

/** The file of a socket stays if its process is killed. */
async function leaveSocket({ place, start }: DaemonWorld): Promise<void> {
  const script = path.join(import.meta.dirname, 'kill-at-start.cjs');
  const child = start([place().socket], { script, environment: { TEST_KILL_AFTER: 'leave' } });
  await once(child, 'exit');
  expect(existsSync(place().socket)).toBe(true);
}

describe('a name that somebody else has taken', () => {
  it('DMN-06 has the client work in its own process, and say so', async () => {
    const world = daemonWorld();
    const { name } = world.place();
    const squatter = createServer((socket) => socket.destroy());
    onTestFinished(() => void squatter.close());
    await new Promise<void>((resolve) => {
      squatter.listen(`\0lspan-${process.getuid?.() ?? 0}-${name}`, resolve);
    });
    const { out } = await world.call('get_server_status', {});
    expect(out).toContain(
      'No daemon is used: its name is taken by a program that does not answer. lspan works in this process.',
    );
    expect(world.starts()).toBe(0);
  });

  it('DMN-06 at its socket is not believed', async () => {
    const world = daemonWorld();
    const greeting = { id: 1, result: { nonce: 'x', proof: 'y', revision: protocolRevision } };
    const stranger = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(toFrame(greeting)));
    });
    onTestFinished(() => void stranger.close());
    makeSecret(world.place().secret);
    await new Promise<void>((resolve) => {
      stranger.listen(world.place().socket, resolve);
    });
    const { out } = await world.call('get_server_status', {});
    expect(out).toContain('No daemon is used: its socket is answered by another program.');
  });
});
