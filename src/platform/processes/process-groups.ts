import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Daemon, endDaemons } from './daemons.ts';
import type { Command, ProcessTree } from './process-tree.ts';
import { sendSignal } from './signal.ts';
import { Watchdog } from './watchdog.ts';

/**
 * The POSIX way: each program leads a process group, and a watchdog kills the groups when lspan dies.
 * The program's shell registers the group itself and then becomes the program, so that there is no moment
 * at which the program runs and the watchdog does not know it. What leaves the group is known by a variable in its
 * environment.
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
      const own = `${mark}${started}`;
      const child = spawnRegistered(command, own, watchdog);
      const { pid } = child;
      if (pid === undefined) return child;
      living.add(pid);
      left.delete(pid);
      watchdog.guard(pid);
      child.once('exit', () => {
        // What the leader left behind. While any of it lives, the system does not give the number to another group.
        kill(pid);
        living.delete(pid);
        watchdog.release(pid);
        const daemons = endDaemons(own, pid);
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

/** Its value is random and differs for each program, so that nobody else's process is taken for one of ours. */
const variable = 'LSPAN_SERVER';

/** Descriptor 3 is closed before the program starts: it gets 0, 1 and 2 and nothing else. */
const registerThenRun = 'echo "add $$" >&3; exec 3>&-; exec "$@"';

function spawnRegistered(command: Command, mark: string, watchdog: Watchdog): ChildProcess {
  return spawn('/bin/sh', ['-c', registerThenRun, 'lspan-server', command.file, ...command.args], {
    cwd: command.cwd,
    env: { ...command.env, [variable]: mark.slice(variable.length + 1) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', watchdog.channel()],
  });
}
