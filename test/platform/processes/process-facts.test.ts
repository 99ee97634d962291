import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alive, treeUse } from '../../../src/platform/processes/process-facts.ts';
import { readStat } from '../../../src/platform/processes/process-files.ts';
import { sendSignal } from '../../../src/platform/processes/signal.ts';

const MiB = 1024 * 1024;

describe.skipIf(process.platform !== 'linux')('facts about processes', () => {
  it('knows if a process is alive', async () => {
    expect(alive(process.pid)).toBe(true);
    const child = spawn('/bin/true', { stdio: 'ignore' });
    await once(child, 'exit');
    expect(alive(child.pid ?? Number.NaN)).toBe(false);
  });

  it('PRC-15 distinguishes processes by their start time', async () => {
    const child = spawn('/bin/cat', { stdio: 'pipe' });
    const pid = child.pid ?? Number.NaN;
    const started = readStat(pid)?.startTime;
    expect(started).toBeGreaterThan(readStat(1)?.startTime ?? Number.NaN);
    expect(readStat(pid)?.startTime).toBe(started);
    child.kill();
    await once(child, 'exit');
    expect(readStat(pid)).toBeUndefined();
  });

  it.each(['proc', 'ps'] as const)(
    'counts the memory and processor time of descendants, and nothing for an ended process, by %s',
    { timeout: 120_000 },
    async (kind) => {
      const script =
        'for (let all = 0; all < 1.2e6; ) { for (let i = 0; i < 1e6; i += 1); const { user, system } = process.cpuUsage(); all = user + system; } console.log("up"); setInterval(() => {}, 1e9)';
      const shell = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', process.execPath, '-e', script], {
        detached: true,
      });
      const idle = spawn('/bin/cat', { stdio: 'pipe' });
      const [pid, other] = [shell.pid ?? Number.NaN, idle.pid ?? Number.NaN];
      onTestFinished(() => {
        for (const left of [-pid, other]) sendSignal(left, 'SIGKILL');
      });
      await once(shell.stdout, 'data');
      const uses = await treeUse([pid, other], kind);
      expect(uses.get(pid)?.memory).toBeGreaterThan(20 * MiB);
      expect(uses.get(pid)?.processorTime).toBeGreaterThanOrEqual(1);
      expect(uses.get(other)?.memory).toBeLessThan(20 * MiB);
      expect(uses.get(other)?.processorTime).toBeLessThan(1);
      process.kill(-pid, 'SIGKILL');
      idle.kill();
      await Promise.all([once(shell, 'close'), once(idle, 'close')]);
      expect([...(await treeUse([pid, other], kind))]).toEqual([]);
    },
  );
});
