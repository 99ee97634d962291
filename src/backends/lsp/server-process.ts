import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import type { Command, ProcessTree } from '../../platform/process-tree.ts';
import type { Exit } from './process-exit.ts';
import { type RunningChild, startChild } from './start-child.ts';
import { StderrLog } from './stderr-log.ts';
import { StderrRing } from './stderr-ring.ts';
import type { Wire } from './wire.ts';

/** The program of a server, ready to be run. */
export type ServerCommand = Command;

/** How a server is asked to stop. */
export interface StopOptions {
  /** Says goodbye in the server's own protocol; how it fails does not matter. */
  readonly graceful: () => Promise<void>;
  /** Shortens every step, also those of a stop that is under way. */
  readonly hurried?: boolean;
}

/** The life of a language server's process: started, written to, drained, and ended with all that it started. */
export class ServerProcess implements Wire {
  readonly pid: number;
  /** Resolves once, when the process has ended and what it had written is read. */
  readonly exited: Promise<Exit>;
  readonly #child: RunningChild;
  readonly #tree: ProcessTree;
  readonly #log: Log;
  readonly #lastWords = new StderrRing();
  readonly #hurry = new AbortController();
  #silent = true;
  #exit: Exit | undefined;
  #stopping: Promise<Exit> | undefined;

  private constructor(child: RunningChild, tree: ProcessTree, log: Log) {
    this.pid = child.pid;
    this.#child = child;
    this.#tree = tree;
    this.#log = log;
    for (const part of ['process', 'stdin', 'stdout', 'stderr'] as const) this.#outlive(part);
    this.#drainStderr();
    this.exited = this.#watchExit();
  }

  /** Starts a program. Rejects with `not_installed` or `busy` when the system refuses. */
  static async start(command: ServerCommand, tree: ProcessTree, log: Log): Promise<ServerProcess> {
    return new ServerProcess(await startChild(command, tree), tree, log);
  }

  /** Queues bytes; what is written after the process's end is dropped, since `exited` tells. */
  write(bytes: Uint8Array): void {
    const { stdin } = this.#child;
    if (!stdin.writable) return;
    if (stdin.writableLength + bytes.length > limits.writeQueue) {
      throw new LspanError('busy', 'The language server does not read what it is sent.', {
        nextStep: 'Call again later; if it stays so, restart the server.',
      });
    }
    stdin.write(bytes);
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#silent = false;
      listener(chunk);
    });
  }

  /** The last lines that the server wrote to stderr. */
  stderrTail(lines: number): string[] {
    return this.#lastWords.tail(lines);
  }

  /** Ends the process politely, then firmly; resolves when it and its group are gone. */
  stop(options: StopOptions): Promise<Exit> {
    if (options.hurried) this.#hurry.abort();
    this.#stopping ??= this.#stopStepByStep(options.graceful);
    return this.#stopping;
  }

  /** Ends the process and all that it started, now. */
  kill(): void {
    this.#tree.kill(this.pid);
  }

  async #stopStepByStep(graceful: () => Promise<void>): Promise<Exit> {
    await this.#atMost(limits.stop.shutdown, this.#sayGoodbye(graceful));
    this.#child.stdin.end();
    await this.#atMost(limits.stop.exit);
    this.#tree.terminate(this.pid);
    await this.#atMost(limits.stop.terminate);
    this.kill();
    await this.#atMost(limits.stop.kill);
    return this.#exit ?? this.#giveUp();
  }

  async #sayGoodbye(graceful: () => Promise<void>): Promise<void> {
    try {
      await graceful();
    } catch (error) {
      this.#log('debug', 'server_goodbye_failed', { pid: this.pid, error: String(error) });
    }
  }

  /** Waits for the process's end, or an earlier event, no longer than a step may take. */
  #atMost(time: number, event: Promise<unknown> = this.exited): Promise<void> {
    const { signal } = this.#hurry;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', hasten);
        resolve();
      };
      const hasten = () => {
        clearTimeout(timer);
        timer = setTimeout(done, limits.stop.hurried);
      };
      let timer = setTimeout(done, signal.aborted ? Math.min(time, limits.stop.hurried) : time);
      signal.addEventListener('abort', hasten);
      Promise.race([event, this.exited]).then(done);
    });
  }

  /** The system cannot end it, for instance because it waits for a dead disk: nobody should wait with it. */
  #giveUp(): Exit {
    this.#log('warn', 'server_unkillable', { pid: this.pid });
    return this.#describe(null, null);
  }

  #watchExit(): Promise<Exit> {
    const { process, stdout, stderr } = this.#child;
    return new Promise((resolve) => {
      process.once('exit', (code, signal) => {
        const settle = () => {
          clearTimeout(timer);
          stdout.destroy();
          stderr.destroy();
          this.#exit ??= this.#describe(code, signal);
          resolve(this.#exit);
        };
        // The pipes close with their last holder, and one that has left the group may hold them for ever.
        // When the time is up, one more turn of the loop reads what has already come.
        const timer = setTimeout(() => setImmediate(settle), limits.stop.drain);
        process.once('close', settle);
      });
    });
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): Exit {
    const stderrTail = this.stderrTail(limits.stderrTail);
    return { code, signal, at: performance.now(), stderrTail, silent: this.#silent };
  }

  #drainStderr(): void {
    const stderrLog = new StderrLog(this.#log, this.pid);
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords.append(chunk);
      stderrLog.append(chunk);
    });
  }

  /** A broken pipe is no news of its own: the process has ended, or will be found not to answer. */
  #outlive(part: 'process' | 'stdin' | 'stdout' | 'stderr'): void {
    this.#child[part].on('error', (error: Error) => {
      this.#log('debug', 'server_pipe_broken', { pid: this.pid, part, error: error.message });
    });
  }
}
