import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { startTimer } from '../../../core/runtime/timer.ts';
import type { Command, ProcessTree } from '../../../platform/processes/process-tree.ts';
import type { MemoryGroup } from '../../../platform/sandbox/memory-group.ts';
import type { Sandbox } from '../../../platform/sandbox/sandbox.ts';
import type { ByteChannel } from '../protocol/byte-channel.ts';
import { type Exit, signalOfCode, startFailure } from './process-exit.ts';
import { StderrLog, StderrRing } from './stderr.ts';

type ServerCommand = Command;

/** How a confined process is seen from outside. */
export interface ConfinedProcess extends Pick<Sandbox, 'ownProcessNumbers' | 'signalsAsCodes'> {
  /** Bounds its memory, where the kernel does. */
  readonly memoryGroup?: MemoryGroup | undefined;
}

interface StopOptions {
  /** Ends the session in the server's own protocol; its failure does not matter. */
  readonly graceful: () => Promise<void>;
  /** Shortens every step, including those of a stop that is under way. */
  readonly hurried?: boolean;
}

/** The life of a server's process: start, input, output, stderr, and the end of it and its descendants. */
export class ServerProcess implements ByteChannel {
  readonly pid: number;
  /** Resolves once, when the process has ended and its output has been read. */
  readonly exited: Promise<Exit>;
  /** Resolves if the process closes a pipe that it needs but lives on; otherwise never. */
  readonly halfOpen: Promise<'stdin' | 'stdout'>;
  /** Set for a process in a sandbox. */
  readonly confined: ConfinedProcess | undefined;
  readonly #child: RunningChild;
  readonly #tree: ProcessTree;
  readonly #log: Log;
  readonly #lastWords = new StderrRing();
  readonly #hurry = new AbortController();
  /** Length of the first message in the queue, which may be longer than the limit for those behind it. */
  #underWay = 0;
  readonly #startedAt = performance.now();
  #heard = 0;
  #sent = 0;
  /** Bytes corked until the next tick. */
  #gathered = 0;
  #exit: Exit | undefined;
  #stopping: Promise<Exit> | undefined;

  private constructor(child: RunningChild, tree: ProcessTree, log: Log, confined?: ConfinedProcess) {
    this.pid = child.pid;
    this.confined = confined;
    this.#child = child;
    this.#tree = tree;
    this.#log = log;
    for (const part of ['process', 'stdin', 'stdout', 'stderr'] as const) this.#outlive(part);
    this.#drainStderr();
    this.exited = this.#watchExit();
    this.halfOpen = this.#watchPipes();
  }

  /** Starts a program. Rejects with `not_installed` or `busy` when the system refuses. */
  static async start(
    command: ServerCommand,
    tree: ProcessTree,
    log: Log,
    confined?: ConfinedProcess,
  ): Promise<ServerProcess> {
    return new ServerProcess(await startChild(command, tree), tree, log, confined);
  }

  /** Bytes that it has written to its stdout. */
  get heard(): number {
    return this.#heard;
  }

  /** Bytes sent to it. */
  get sent(): number {
    return this.#sent;
  }

  /** Bytes sent to it that its pipe has not taken. */
  get unread(): number {
    return this.#child.stdin.writableLength - this.#gathered;
  }

  /** Queues bytes; drops them after the process's end, which `exited` reports. */
  write(bytes: Uint8Array): void {
    const { stdin } = this.#child;
    if (!stdin.writable) return;
    const isShort = this.#gathered + bytes.length <= limits.writeAtOnce;
    if (!isShort) this.#sendGathered();
    const waiting = stdin.writableLength === 0 ? 0 : stdin.writableLength - this.#underWay + bytes.length;
    if (waiting > limits.writeQueue) {
      throw new LspanError('busy', 'The language server does not read its input.', {
        nextStep: 'Call again later; if it fails again, restart the server.',
      });
    }
    if (stdin.writableLength === 0) this.#underWay = bytes.length;
    this.#sent += bytes.length;
    // Messages of one tick become one write: a hundred files take as many messages.
    if (isShort && this.#gathered === 0) {
      stdin.cork();
      process.nextTick(() => this.#sendGathered());
    }
    if (isShort) this.#gathered += bytes.length;
    stdin.write(bytes);
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#heard += chunk.length;
      listener(chunk);
    });
  }

  pause(isHeld: boolean): void {
    if (isHeld) this.#child.stdout.pause();
    else this.#child.stdout.resume();
  }

  /** Resolves when it writes to its stdout again. */
  nextOutput(): Promise<void> {
    return new Promise((resolve) => this.#child.stdout.once('data', () => resolve()));
  }

  stderrTail(lines: number): string[] {
    return this.#lastWords.tail(lines);
  }

  /** Ends the process politely, then firmly; resolves when it and its group are gone. */
  stop(options: StopOptions): Promise<Exit> {
    if (options.hurried) this.#hurry.abort();
    this.#stopping ??= this.#stopStepByStep(options.graceful);
    return this.#stopping;
  }

  /** Kills the process and its descendants at once. */
  kill(): void {
    this.#tree.kill(this.pid);
  }

  #sendGathered(): void {
    if (this.#gathered === 0) return;
    this.#gathered = 0;
    this.#child.stdin.uncork();
  }

  async #stopStepByStep(graceful: () => Promise<void>): Promise<Exit> {
    await stopSteps({
      exited: this.exited,
      hurry: this.#hurry.signal,
      sayGoodbye: () => this.#sayGoodbye(graceful),
      closeInput: () => this.#child.stdin.end(),
      terminate: () => this.#tree.terminate(this.pid),
      kill: () => this.kill(),
    });
    return this.#exit ?? this.#giveUp();
  }

  async #sayGoodbye(graceful: () => Promise<void>): Promise<void> {
    try {
      await graceful();
    } catch (error) {
      this.#log('debug', 'server_goodbye_failed', { pid: this.pid, error: String(error) });
    }
  }

  /** Gives up on a process that the system cannot end, for instance because it waits for a dead disk. */
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
        // The pipes close with their last holder, and a process that left the group may never close them.
        // After the timeout, one more turn of the event loop reads what has already arrived.
        const timer = setTimeout(() => setImmediate(settle), limits.stop.drain);
        process.once('close', settle);
      });
    });
  }

  #describe(code: number | null, signal: NodeJS.Signals | null): Exit {
    const at = performance.now();
    const daemons = this.#tree.leftBehind(this.pid);
    if (daemons.length > 0) this.#log('warn', 'server_daemons_ended', { pid: this.pid, daemons });
    const inner = this.confined?.signalsAsCodes ? signalOfCode(code) : undefined;
    return {
      ...(inner === undefined ? { code, signal } : { code: null, signal: inner }),
      outOfMemory: this.confined?.memoryGroup?.exceeded() ?? false,
      at,
      lived: at - this.#startedAt,
      stderrTail: this.stderrTail(limits.stderrTail),
      silent: this.#heard === 0,
      daemons,
    };
  }

  /** A process that ends closes its pipes a moment before; one that is alive after that has cut us off. */
  #watchPipes(): Promise<'stdin' | 'stdout'> {
    const { stdin, stdout } = this.#child;
    return new Promise((resolve) => {
      const settle = async (part: 'stdin' | 'stdout') => {
        const exit = await within(this.exited, limits.halfOpen);
        if (!exit && !this.#stopping) resolve(part);
      };
      stdout.once('end', () => settle('stdout'));
      stdin.once('error', () => settle('stdin'));
    });
  }

  #drainStderr(): void {
    const stderrLog = new StderrLog(this.#log, this.pid);
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords.append(chunk);
      stderrLog.append(chunk);
    });
  }

  /** Only logs a broken pipe: the process has ended, or will be found not to answer. */
  #outlive(part: 'process' | 'stdin' | 'stdout' | 'stderr'): void {
    this.#child[part].on('error', (error: Error) => {
      this.#log('debug', 'server_pipe_broken', { pid: this.pid, part, error: error.message });
    });
  }
}

interface RunningChild {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Starts a program; rejects with an `LspanError`, however the system refuses. */
async function startChild(command: Command, tree: ProcessTree): Promise<RunningChild> {
  try {
    const process = tree.spawn(command);
    await once(process, 'spawn');
    const { pid, stdin, stdout, stderr } = process;
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('a process without pipes');
    return { process, pid, stdin, stdout, stderr };
  } catch (thrown) {
    throw startFailure(thrown, command);
  }
}

/** A process to end, and the means for it, the politest first. */
interface Stopped {
  readonly exited: Promise<unknown>;
  /** Aborts when the stop must hurry, even in the middle of a step. */
  readonly hurry: AbortSignal;
  readonly sayGoodbye: () => Promise<void>;
  readonly closeInput: () => void;
  readonly terminate: () => void;
  readonly kill: () => void;
}

/** Ends a process politely, then firmly: each step has a timeout, and ends once the process has exited. */
async function stopSteps(process: Stopped): Promise<void> {
  await atMost(limits.stop.shutdown, process, process.sayGoodbye());
  process.closeInput();
  await atMost(limits.stop.exit, process);
  process.terminate();
  await atMost(limits.stop.terminate, process);
  process.kill();
  await atMost(limits.stop.kill, process);
}

/** Waits for the process's end, or an earlier event, at most for the time of a step. */
function atMost(time: number, { exited, hurry }: Stopped, event: Promise<unknown> = exited): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      timer.cancel();
      hurry.removeEventListener('abort', hasten);
      resolve();
    };
    const hasten = () => {
      timer.cancel();
      timer = startTimer(limits.stop.hurried, done);
    };
    // The timer ignores time in which lspan is suspended: the process most often is too, and cannot exit.
    let timer = startTimer(hurry.aborted ? Math.min(time, limits.stop.hurried) : time, done);
    hurry.addEventListener('abort', hasten);
    Promise.race([event, exited]).then(done);
  });
}
