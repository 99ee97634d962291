import { spawn } from 'node:child_process';
import path from 'node:path';
import type { ProcessTree } from './process-tree.ts';
import { sendSignal } from './signal.ts';

/**
 * Process trees on Windows: `taskkill` follows a program to its descendants. When lspan dies, the system ends its
 * direct children, since Node keeps them in a job; their descendants see their pipes close.
 */
export function windowsTree(taskkill = systemProgram('taskkill.exe')): ProcessTree {
  const living = new Set<number>();
  const run = (pid: number, ...flags: readonly string[]) => {
    if (!living.has(pid)) return;
    const child = spawn(taskkill, ['/pid', String(pid), '/t', ...flags], {
      stdio: 'ignore',
      windowsHide: true,
    });
    child.once('error', () => sendSignal(pid, 'SIGKILL'));
    child.unref();
  };
  const kill = (pid: number) => run(pid, '/f');
  return {
    spawn({ file, args, env, cwd }) {
      const child = spawn(file, args, { cwd, env, stdio: 'pipe', windowsHide: true });
      const { pid } = child;
      if (pid === undefined) return child;
      living.add(pid);
      child.once('exit', () => living.delete(pid));
      return child;
    },
    terminate: (pid) => run(pid),
    kill,
    leftBehind: () => [],
    async close() {
      for (const pid of living) kill(pid);
    },
  };
}

/** Returns an absolute path: the current folder may contain a program of the same name. */
function systemProgram(name: string): string {
  return path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', name);
}
