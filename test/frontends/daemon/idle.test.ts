import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { silent } from '../../../src/core/log.ts';
import { takeInstanceLock } from '../../../src/frontends/daemon/instance-lock.ts';
import { DaemonServer } from '../../../src/frontends/daemon/server/daemon-server.ts';
import { buildOf } from '../../../src/platform/files/identity-files.ts';
import { question } from '../../test-bridge.ts';
import { bin, type DaemonWorld, daemonWorld } from './daemon-world.ts';

afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a daemon', () => {
  it('DMN-15 leaves after the time without a call, although a client stays, whose next call starts another one', async () => {
    const world = daemonWorld();
    useFakeTimeouts();
    const { ended, leave } = await serve(world);
    const bridge = await world.open();
    await vi.advanceTimersByTimeAsync(limits.daemon.idle - 1);
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    await vi.advanceTimersByTimeAsync(limits.daemon.idle - 1);
    expect(await Promise.race([ended, 'it stays'])).toBe('it stays');
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe('idle');
    vi.useRealTimers();
    await leave();
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(world.reasons).toEqual([]);
    expect(world.starts()).toBe(1);
  });

  it('DMN-15 leaves soon if nobody comes, as when the client that started it has died', async () => {
    const world = daemonWorld();
    useFakeTimeouts();
    const { ended } = await serve(world);
    expect(await world.status()).toMatchObject([{ clients: [] }]);
    await vi.advanceTimersByTimeAsync(limits.daemon.unused - 1);
    expect(await Promise.race([ended, 'it stays'])).toBe('it stays');
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe('idle');
  });

  it('DMN-15 stays for a client that has not called so far', async () => {
    const world = daemonWorld();
    useFakeTimeouts();
    const { ended } = await serve(world);
    await world.open();
    await vi.advanceTimersByTimeAsync(limits.daemon.idle - 1);
    expect(await Promise.race([ended, 'it stays'])).toBe('it stays');
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe('idle');
  });

  it('DMN-15 stays while a call is in progress, however long it takes', async () => {
    const rules = [{ on: { method: 'textDocument/definition' }, do: [{ never: true as const }] }];
    const world = daemonWorld({ rules });
    useFakeTimeouts();
    // A call may take longer than this, but not for ever.
    const idle = 10_000;
    const { ended } = await serve(world, idle);
    const bridge = await world.open();
    const stop = new AbortController();
    const answer = bridge.call(question.tool, question.input, { signal: stop.signal });
    // Polling needs timers.
    await heardOf(world, 'textDocument/definition');
    await vi.advanceTimersByTimeAsync(2.5 * idle);
    expect(await Promise.race([ended, 'it stays'])).toBe('it stays');
    stop.abort();
    expect((await answer).isError).toBe(true);
    await vi.advanceTimersByTimeAsync(idle);
    expect(await ended).toBe('idle');
  });

  it('DMN-15 answers a client that was silent for a day while another one called', async () => {
    const world = daemonWorld();
    useFakeTimeouts();
    const { ended } = await serve(world);
    const still = await world.open();
    const busy = await world.open();
    expect((await still.call(question.tool, question.input)).data).toMatchObject(question.answer);
    for (let gone = 0; gone < day; gone += 15 * minute) {
      await vi.advanceTimersByTimeAsync(15 * minute);
      expect((await busy.call('get_server_status', {})).isError).toBe(false);
    }
    expect(await Promise.race([ended, 'it stays'])).toBe('it stays');
    expect((await still.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect([world.starts(), world.reasons]).toEqual([0, []]);
    await vi.advanceTimersByTimeAsync(day);
    expect(await ended).toBe('idle');
  });
});

function useFakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Waits until the language server was sent a method. */
async function heardOf(world: DaemonWorld, method: string): Promise<void> {
  while (!world.heard().includes(method)) await nextTurn();
}

/** Serves in this process, as the daemon of the built program. */
async function serve(world: DaemonWorld, idle: number = limits.daemon.idle) {
  const place = world.place();
  const lock = await takeInstanceLock(place);
  const daemon = new DaemonServer({ place, build: buildOf(bin), log: silent, idle });
  const leave = () => daemon.close({ hurried: true, onUnreachable: () => lock?.release() });
  onTestFinished(leave);
  await daemon.listen();
  return { ended: daemon.ended, leave };
}
