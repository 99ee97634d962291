import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/**
 * A shell that outlives lspan by a moment: when lspan's end of its pipe closes, however lspan ended, it kills every
 * registered process group, and with a /proc also every process that was started with lspan's mark in its environment;
 * then it removes the folder in which they had their temporary files.
 * A shell, because a Node process would need forty times the memory.
 */
export class Watchdog {
  readonly #startShell: (duty: WatchdogDuty) => RunningShell;
  readonly #duty: WatchdogDuty;
  readonly #groups = new Set<number>();
  #shell: RunningShell | undefined;
  #replacements = 0;
  #closed = false;

  constructor(duty: WatchdogDuty, start: (duty: WatchdogDuty) => RunningShell = startShell) {
    this.#duty = duty;
    this.#startShell = start;
  }

  /** Returns the pipe through which a starting program registers its group with the line `add GROUP`. */
  channel(): Writable {
    this.#shell ??= this.#start();
    return this.#shell.stdin;
  }

  /** Remembers a group that registers itself, for the successor of a killed shell. */
  guard(group: number): void {
    this.#groups.add(group);
  }

  /** Unregisters a group that has ended. */
  release(group: number): void {
    if (this.#groups.delete(group)) this.#shell?.stdin.write(`del ${group}\n`);
  }

  /** Ends the shell, which kills the groups still registered; resolves when it has ended, or takes too long. */
  async close(): Promise<void> {
    this.#closed = true;
    const shell = this.#shell;
    if (!shell) return;
    const gone = new Promise((resolve) => shell.process.once('exit', resolve));
    shell.stdin.end();
    await within(gone, limits.stop.watchdog);
  }

  #start(): RunningShell {
    const shell = this.#startShell(this.#duty);
    shell.process.once('exit', () => this.#replace());
    // The shell has died: its exit is handled, and its successor gets all groups.
    shell.stdin.on('error', () => {});
    return shell;
  }

  /** Replaces a killed shell, but gives up on a system that ends every shell at once. */
  #replace(): void {
    this.#shell = undefined;
    this.#replacements += 1;
    if (this.#closed || this.#groups.size === 0 || this.#replacements > limits.restart.crashes) return;
    try {
      const channel = this.channel();
      for (const group of this.#groups) channel.write(`add ${group}\n`);
    } catch {
      // No shell can be started now: the next start of a server tries again, or reports it.
    }
  }
}

/** What a watchdog ends and removes. */
export interface WatchdogDuty {
  /** The beginning of a variable that every server has in its environment. */
  readonly mark: string;
  /** The folder of the servers' temporary files; asked when a server is about to start. */
  readonly folder?: () => string | undefined;
}

/** The shell behind a watchdog. */
export interface RunningShell {
  readonly process: EventEmitter;
  readonly stdin: Writable;
}

/**
 * Ignores the signals that end lspan, or it would end before its work is due. A last line without its line ending is
 * not read. The groups 0 and 1 mean "mine" and "everybody" to `kill`, so neither is ever passed to it.
 * One `grep` searches all environments; if lspan left servers, until it has found nothing three times: a process that
 * has just forked, or is in `exec` and has no environment for a moment, is found the next time. Each is checked once
 * more right before it is killed, since its number may have gone to another process.
 * The folder comes as an argument, as a line of the pipe could be cut in the middle of a path. `rm` follows no link.
 */
const script = `trap '' HUP INT QUIT TERM
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    del) case $groups in *" $group "*) groups=\${groups%% $group *}' '\${groups#* $group } ;; esac ;;
  esac
done
for group in $groups; do
  [ "$group" -gt 1 ] && kill -s KILL -- "-$group"
done
clean=0
needed=3
[ "$groups" = ' ' ] && needed=1
for round in 1 2 3 4 5 6 7 8 9; do
  marked=$(grep -lsF -- "$1" /proc/[0-9]*/environ)
  [ -n "$marked" ] && clean=0 || clean=$((clean + 1))
  [ "$clean" -lt "$needed" ] || break
  for file in $marked; do
    pid=\${file#/proc/}
    grep -qsF -- "$1" "$file" && kill -s KILL "\${pid%/environ}"
  done
  sleep 0.1
done
[ -n "$2" ] && rm -rf -- "$2"`;

function startShell({ mark, folder }: WatchdogDuty): RunningShell {
  const shell = spawn('/bin/sh', ['-c', script, 'watchdog', mark, folder?.() ?? ''], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.once('error', () => {});
  if (shell.pid === undefined) throw noWatchdog();
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return { process: shell, stdin: shell.stdin };
}

function noWatchdog(): LspanError {
  return new LspanError('busy', 'The system does not let lspan start a watchdog for its language servers.', {
    nextStep: 'Close other programs, or raise the limits of processes and open files (ulimit -u, ulimit -n).',
  });
}
