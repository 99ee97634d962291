import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { alive, startTime, treeMemory } from '../../src/platform/process-facts.ts';

const MiB = 1024 * 1024;

describe.skipIf(process.platform !== 'linux')('facts about processes', () => {
  it('tells whether a process lives', async () => {
    expect(alive(process.pid)).toBe(true);
    const child = spawn('/bin/true', { stdio: 'ignore' });
    await once(child, 'exit');
    expect(alive(child.pid ?? Number.NaN)).toBe(false);
  });

  it('PRC-15 tells a process from another by its start', async () => {
    const child = spawn('/bin/cat', { stdio: 'pipe' });
    const started = await startTime(child.pid ?? Number.NaN);
    expect(started).toBeGreaterThan((await startTime(1)) ?? Number.NaN);
    expect(await startTime(child.pid ?? Number.NaN)).toBe(started);
    child.kill();
    await once(child, 'exit');
    expect(await startTime(child.pid ?? Number.NaN)).toBeUndefined();
  });

  it('counts the memory of what a process started, and nothing for one that has gone', {
    timeout: 20_000,
  }, async () => {
    const script = 'console.log("up"); setInterval(() => {}, 1e9)';
    const shell = spawn('/bin/sh', ['-c', '"$@" & wait', 'sh', process.execPath, '-e', script], {
      detached: true,
    });
    await once(shell.stdout, 'data');
    const pid = shell.pid ?? Number.NaN;
    expect(await treeMemory(pid)).toBeGreaterThan(20 * MiB);
    process.kill(-pid, 'SIGKILL');
    await once(shell, 'close');
    expect(await treeMemory(pid)).toBeUndefined();
  });
});
