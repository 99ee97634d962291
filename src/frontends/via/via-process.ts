import type { ChildProcess } from 'node:child_process';
import { within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { type ProcessTree, processTree } from '../../platform/processes/process-tree.ts';
import { Channel } from '../daemon/channel.ts';
import { refuseAll } from '../daemon/client/connect.ts';
import type { FarFailure } from './far-advice.ts';
import { type Greeting, GreetingReader } from './greeting.ts';
import { JoinedStreams } from './joined-streams.ts';

/** How the command is run. */
export interface ViaCommand {
  /** The absolute path of its program. */
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What the other end said: a greeting with the channel after it, or how the command ended without one. */
type Greeted = { readonly greeting: Greeting; readonly channel: Channel } | FarFailure;

/** The command of `--via` while it runs: its other end is lspan. It and its children end with this process. */
export class ViaProcess {
  /** Resolves to the exit code when it has ended, or to the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly #tree: ProcessTree;
  readonly #child: ChildProcess;
  #errors = '';
  /** When the last bytes came. */
  #heardAt = performance.now();

  constructor({ file, args, environment }: ViaCommand) {
    this.#tree = processTree();
    const env = Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    this.#child = this.#tree.spawn({ file, args, env, cwd: process.cwd() });
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      this.#errors = `${this.#errors}${chunk}`.slice(-limits.stderrLine);
    });
    this.#child.stdout?.on('data', () => {
      this.#heardAt = performance.now();
    });
    // Its exit is handled.
    this.#child.stdin?.on('error', () => {});
  }

  /** Waits for the greeting of lspan at the other end. */
  async greeted(time: number = limits.via.hello): Promise<Greeted> {
    const { stdin, stdout } = this.#child;
    if (!stdin || !stdout) return this.#withoutGreeting('');
    const reader = new GreetingReader();
    const greeted = new Promise<Greeted | undefined>((resolve) => {
      const onData = (chunk: Buffer) => {
        const found = reader.push(chunk);
        if (found === undefined) return;
        stdout.off('data', onData);
        if (found === 'too_much') return resolve(undefined);
        const channel = new Channel(new JoinedStreams(stdout, stdin), { answer: refuseAll });
        channel.trust();
        channel.receive(found.rest);
        resolve({ greeting: found.greeting, channel });
      };
      stdout.on('data', onData);
      this.ended.then(() => resolve(undefined));
    });
    return (await within(greeted, time)) ?? this.#withoutGreeting(reader.text);
  }

  /** Milliseconds since anything was heard. */
  get silence(): number {
    return performance.now() - this.#heardAt;
  }

  /** Ends its input, which ends lspan at the other end; kills the command if that takes too long. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await within(this.ended, limits.via.leaving);
    await this.#tree.close();
  }

  /** Kills the command: nothing is heard from its other end. */
  kill(): void {
    if (this.#child.pid !== undefined) this.#tree.kill(this.#child.pid);
  }

  async #withoutGreeting(text: string): Promise<Greeted> {
    const ended = await within(this.ended, limits.via.lastWords);
    // Nothing that it could say later is of use.
    this.kill();
    const lines = `${this.#errors.trim() || text.trim()}`.split('\n');
    return { ended, said: lines.at(-1)?.trim() ?? '' };
  }
}
