import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alive, repeatedTreeUse, treeUse } from '../../../src/platform/processes/process-facts.ts';
import { readStat } from '../../../src/platform/processes/process-files.ts';
import { sendSignal } from '../../../src/platform/processes/signal.ts';
import { lackedPrograms } from '../../missing-programs.ts';

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

  it.for(['proc', 'ps'] as const)(
    'counts the memory and processor time of descendants, and nothing for an ended process, by %s',
    { timeout: 120_000 },
    async (kind, { skip }) => {
      skip(kind === 'ps' && lackedPrograms('ps') !== '', 'ps is not installed');
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

  it("finds new processes of a tree that it looks at again, and one that was nobody's before", async () => {
    let now = 0;
    const use = repeatedTreeUse(() => now);
    const shell = spawn('/bin/sh', ['-c', 'read line; exec 3<&0; /bin/cat <&3 & echo $!; wait'], {
      detached: true,
    });
    const other = spawn('/bin/cat', { stdio: 'pipe' });
    onTestFinished(() => void [shell, other].map((child) => child.kill('SIGKILL')));
    const [pid = 0, otherPid = 0] = [shell.pid, other.pid];
    const alone = (await use([pid])).get(pid)?.memory ?? 0;
    expect(alone).toBeGreaterThan(0);
    shell.stdin.write('\n');
    const [started] = await once(shell.stdout, 'data');
    // The same with what it remembers, and with everything read anew.
    expect((await use([pid])).get(pid)?.memory).toBeGreaterThan(alone);
    expect((await use([pid, otherPid])).get(otherPid)?.memory).toBeGreaterThan(0);
    now = Number.POSITIVE_INFINITY;
    expect((await use([pid])).get(pid)?.memory).toBeGreaterThan(alone);
    process.kill(Number(started), 'SIGKILL');
    await once(shell, 'close');
    expect([...(await use([pid]))]).toEqual([]);
  });
});
