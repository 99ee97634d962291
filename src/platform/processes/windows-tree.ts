import { spawn } from 'node:child_process';
import path from 'node:path';
import type { ProcessTree } from './process-tree.ts';
import { sendSignal } from './signal.ts';

/**
 * The Windows way: `taskkill` follows a program to what it started. When lspan dies, the system ends its direct
 * children, since Node holds them in a job; what those started sees its pipes close.
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

/** By absolute path: the folder that lspan runs in may hold a program of the same name. */
function systemProgram(name: string): string {
  return path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', name);
}
