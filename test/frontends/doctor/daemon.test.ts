import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../../src/frontends/doctor/report.ts';
import { type DaemonWorld, daemonWorld, isRunning } from '../daemon/daemon-world.ts';

async function doctor(world: DaemonWorld, ...words: readonly string[]): Promise<DoctorReport> {
  const { out, err } = await world.run('doctor', '--json', ...world.flags, ...words);
  expect(err).toBe('');
  return JSON.parse(out);
}

const daemonOf = ({ findings }: DoctorReport) => findings.find(({ area }) => area === 'daemon');

describe('lspan doctor and the daemon', () => {
  it('says that none runs, and that one of the same build does, which it leaves alone', async () => {
    const world = daemonWorld();
    expect(daemonOf(await doctor(world))).toMatchObject({
      level: 'ok',
      text: expect.stringContaining('not running'),
    });
    await world.warm();
    const pid = await world.pid();
    const report = await doctor(world);
    expect(report.system.daemons).toMatchObject([{ pid, answers: true, same_build: true }]);
    expect(daemonOf(report)).toMatchObject({ level: 'ok' });
    expect(await world.pid()).toBe(pid);
  });

  it('removes the socket that a killed daemon has left, only if it may repair', async () => {
    const world = daemonWorld();
    await world.warm();
    const pid = await world.pid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    const { socket } = world.place();
    expect(existsSync(socket)).toBe(true);
    expect(daemonOf(await doctor(world))).toMatchObject({
      level: 'warning',
      next_step: 'lspan doctor --fix',
    });
    expect(existsSync(socket)).toBe(true);
    const report = await doctor(world, '--fix');
    expect(report.fixed).toEqual([expect.stringContaining(socket)]);
    expect(daemonOf(report)).toMatchObject({ level: 'ok' });
    expect(existsSync(socket)).toBe(false);
  });
});
