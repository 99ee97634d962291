import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { isComplete } from '../../missing-programs.ts';
import { end } from '../daemon/daemon-world.ts';

/** Why no ssh server can be started here; empty if one can. */
export const withoutSsh: string = isComplete || existsSync('/usr/sbin/sshd') ? '' : 'sshd is not installed';

/** The title of a test that needs an ssh server: it says why the test is skipped. */
export function overSsh(title: string): string {
  return withoutSsh === '' ? title : `${title} (skipped: ${withoutSsh})`;
}

/** An ssh server on the loopback address, with keys of its own, for the user who runs the test. */
export interface LocalSsh {
  /** The words that reach it. */
  readonly command: readonly string[];
  /** The processes of its connections. */
  connections(): readonly number[];
}

/** Starts one; it ends with the test. `environment` is what its commands get. */
export async function localSsh(environment: Readonly<Record<string, string>>): Promise<LocalSsh> {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const program = path.join(import.meta.dirname, 'sshd.js');
  const runner = spawn(process.execPath, [program, ...variables], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(runner.stdout, 'data');
  const { command, pid }: { readonly command: readonly string[]; readonly pid: number } = JSON.parse(line);
  onTestFinished(async () => {
    const ended = once(runner, 'exit');
    for (const one of childrenOf(pid)) end(one);
    runner.stdin.end();
    await ended;
  });
  return { command, connections: () => childrenOf(pid) };
}

function childrenOf(pid: number): readonly number[] {
  const rows = execFileSync('/bin/ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}
