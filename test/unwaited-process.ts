import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { readStat } from '../src/platform/processes/process-files.ts';

/** The number of a process that has ended and for which nobody waits as long as the test runs. */
export async function unwaitedProcess(): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', 'read line <&3 & echo $!; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const { stdin, stdout } = parent;
  if (!stdin || !stdout) throw new Error('Both are pipes.');
  const pid = Number(String((await once(stdout, 'data'))[0]));
  // The child ends only once the shell has become a program that waits for nobody: the shell itself might.
  stdin.write('there');
  await once(stdout, 'data');
  const [, , , line] = parent.stdio;
  if (line instanceof Socket) line.end();
  await expect.poll(() => readStat(pid)?.hasEnded).toBe(true);
  return pid;
}
