import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Daemon, endDaemons } from './daemons.ts';
import type { Command, ProcessTree } from './process-tree.ts';
import { sendSignal } from './signal.ts';
import { Watchdog } from './watchdog.ts';

/**
 * Process trees on POSIX: each program leads a process group, and a watchdog kills the groups when lspan dies. The
 * program's shell registers the group itself and then becomes the program, so that the watchdog always knows a running
 * program. A process that leaves the group is found by a variable in its environment.
 */
export function processGroups(): ProcessTree {
  const mark = `${variable}=${randomUUID()}.`;
  const watchdog = new Watchdog(mark);
  const living = new Set<number>();
  const left = new Map<number, readonly Daemon[]>();
  let started = 0;
  const signal = (group: number, name: 'SIGTERM' | 'SIGKILL') => {
    if (living.has(group)) sendSignal(-group, name);
  };
  const kill = (group: number) => signal(group, 'SIGKILL');
  return {
    spawn(command) {
      started += 1;
      const programMark = `${mark}${started}`;
      const child = spawnRegistered(command, programMark, watchdog);
      const { pid } = child;
      if (pid === undefined) return child;
      living.add(pid);
      left.delete(pid);
      watchdog.guard(pid);
      child.once('exit', () => {
        // Processes that the leader left behind. While one lives, the system does not reuse the group's number.
        kill(pid);
        living.delete(pid);
        watchdog.release(pid);
        const daemons = endDaemons(programMark, pid);
        if (daemons.length > 0) left.set(pid, daemons);
      });
      return child;
    },
    terminate: (group) => signal(group, 'SIGTERM'),
    kill,
    leftBehind: (pid) => left.get(pid) ?? [],
    close() {
      for (const group of living) kill(group);
      return watchdog.close();
    },
  };
}

/** Its value is random and differs for each program, so that a foreign process is never taken for one of ours. */
const variable = 'LSPAN_SERVER';

/** Descriptor 3 is closed before the program starts, which only gets 0, 1 and 2. */
const registerThenRun = 'echo "add $$" >&3; exec 3>&-; exec "$@"';

function spawnRegistered(command: Command, mark: string, watchdog: Watchdog): ChildProcess {
  return spawn('/bin/sh', ['-c', registerThenRun, 'lspan-server', command.file, ...command.args], {
    cwd: command.cwd,
    env: { ...command.env, [variable]: mark.slice(variable.length + 1) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', watchdog.channel()],
  });
}
