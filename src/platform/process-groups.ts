import { type ChildProcess, spawn } from 'node:child_process';
import type { Command, ProcessTree } from './process-tree.ts';
import { Watchdog } from './watchdog.ts';

/**
 * The POSIX way: each program leads a process group, and a watchdog kills the groups when lspan dies.
 * The program's shell registers the group itself and then becomes the program, so that there is no moment
 * at which the program runs and the watchdog does not know it.
 */
export function processGroups(): ProcessTree {
  const watchdog = new Watchdog();
  const living = new Set<number>();
  const signal = (group: number, name: 'SIGTERM' | 'SIGKILL') => {
    if (living.has(group)) signalGroup(group, name);
  };
  const kill = (group: number) => signal(group, 'SIGKILL');
  return {
    spawn(command) {
      const child = spawnRegistered(command, watchdog);
      const { pid } = child;
      if (pid === undefined) return child;
      living.add(pid);
      watchdog.guard(pid);
      child.once('exit', () => {
        // What the leader left behind. While any of it lives, the system does not give the number to another group.
        kill(pid);
        living.delete(pid);
        watchdog.release(pid);
      });
      return child;
    },
    terminate: (group) => signal(group, 'SIGTERM'),
    kill,
    close() {
      for (const group of living) kill(group);
      watchdog.close();
    },
  };
}

/** Descriptor 3 is closed before the program starts: it gets 0, 1 and 2 and nothing else. */
const registerThenRun = 'echo "add $$" >&3; exec 3>&-; exec "$@"';

function spawnRegistered(command: Command, watchdog: Watchdog): ChildProcess {
  return spawn('/bin/sh', ['-c', registerThenRun, 'lspan-server', command.file, ...command.args], {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', watchdog.channel()],
  });
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // ESRCH: nobody is left in it. EPERM: only zombies are, on macOS.
  }
}
