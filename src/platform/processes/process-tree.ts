import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { type Daemon, endDaemons } from './daemons.ts';
import { sendSignal } from './signal.ts';
import { Watchdog } from './watchdog.ts';

/** A program to start: absolute path, arguments, its whole environment, and its folder. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A file of a control group, which the program joins by writing its number there. POSIX only. */
  readonly joins?: string;
}

/** Starts programs so that they and their descendants can be ended together, and never outlive lspan. */
export interface ProcessTree {
  /** Starts a program with three pipes. Fails like `child_process.spawn`: by throwing, or by an `error` event. */
  spawn(command: Command): ChildProcess;
  /** Asks a program of this tree and its descendants to end. Does nothing once it has ended. */
  terminate(pid: number): void;
  /** Kills a program of this tree and its descendants. Does nothing once it has ended. */
  kill(pid: number): void;
  /** Returns the processes that had left the group of an ended program, and were killed after it. */
  leftBehind(pid: number): readonly Daemon[];
  /** Kills every program that still runs, and ends the watchdog; resolves when that has ended too. */
  close(): Promise<void>;
}

/** How a platform keeps processes together; each kind can be forced for tests. */
type TreeKind = 'group' | 'taskkill';

interface TreeOptions {
  /** Default: that of this platform. */
  readonly kind?: TreeKind;
  /** The folder of the programs' temporary files, which is removed when lspan dies. POSIX only. */
  readonly folder?: () => string | undefined;
}

/** Returns the process tree of this platform, or of the given kind. */
export function processTree({
  kind = process.platform === 'win32' ? 'taskkill' : 'group',
  folder = () => undefined,
}: TreeOptions = {}): ProcessTree {
  return kind === 'group' ? processGroups(folder) : windowsTree();
}

/**
 * Process trees on POSIX: each program leads a process group, and a watchdog kills the groups when lspan dies. The
 * program's shell registers the group itself and then becomes the program, so that the watchdog always knows a running
 * program. A process that leaves the group is found by a variable in its environment.
 */
function processGroups(folder: () => string | undefined): ProcessTree {
  const mark = `${variable}=${randomUUID()}.`;
  const watchdog = new Watchdog({ mark, folder });
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

/** Like it, but joins a control group before; its failure only means that the kernel does not bound the program. */
const registerJoinThenRun = 'echo "add $$" >&3; exec 3>&-; echo $$ 2>/dev/null >"$1"; shift; exec "$@"';

function spawnRegistered(command: Command, mark: string, watchdog: Watchdog): ChildProcess {
  const { joins, file, args } = command;
  const script = joins === undefined ? registerThenRun : registerJoinThenRun;
  const words = [...(joins === undefined ? [] : [joins]), file, ...args];
  return spawn('/bin/sh', ['-c', script, 'lspan-server', ...words], {
    cwd: command.cwd,
    env: { ...command.env, [variable]: mark.slice(variable.length + 1) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', watchdog.channel()],
  });
}

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
