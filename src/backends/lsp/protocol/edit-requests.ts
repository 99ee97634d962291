import { type Call, cancelSignalOf, within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { FairLock } from '../../../core/runtime/fair-lock.ts';

/** The answer to a server that wants an edit applied. */
interface Applied {
  readonly applied: boolean;
  readonly failureReason?: string;
}

/** The edits that a server asks for: those of a command that we sent are collected, all others are refused. */
export class EditRequests {
  readonly #server: string;
  readonly #log: Log;
  readonly #lock = new FairLock();
  /** What the command that runs has asked for. */
  #taken: unknown[] | undefined;
  #heard: () => void = () => {};
  #refused = 0;

  constructor(server: string, log: Log) {
    this.#server = server;
    this.#log = log;
  }

  /** Nothing is written: the server is told that it was, and who sent the command decides about it. */
  answer(edit: unknown): Applied {
    if (!this.#taken) return this.#refuse();
    this.#heard();
    // One more than may be, which is told as such.
    if (this.#taken.length > limits.commandEdits) return this.#refuse();
    this.#taken.push(edit);
    return { applied: true };
  }

  /** The edits that are asked for while a command runs, in their order. One command at a time: whose they are is not told. */
  async during(call: Call, command: () => Promise<unknown>): Promise<readonly unknown[]> {
    await this.#lock.enter('alone', cancelSignalOf(call));
    const taken: unknown[] = [];
    this.#taken = taken;
    const heard = new Promise<void>((resolve) => {
      this.#heard = resolve;
    });
    // Some servers answer the command first, and ask then.
    const asked = command().then(() => within(heard, limits.emptyAnswer.wait, cancelSignalOf(call)));
    return asked
      .then(() => this.#whole(taken))
      .finally(() => {
        this.#taken = undefined;
        this.#lock.leave('alone');
      });
  }

  /** A part of what a command wants is not what it wants. */
  #whole(taken: readonly unknown[]): readonly unknown[] {
    if (taken.length <= limits.commandEdits) return taken;
    const message = `A command of ${this.#server} asked for more than ${limits.commandEdits} edits; none was taken.`;
    throw new LspanError('limit_exceeded', message, { nextStep: 'Make the change in smaller steps.' });
  }

  /** Told aloud once; a server may go on asking for ever. */
  #refuse(): Applied {
    const count = ++this.#refused;
    this.#log(count === 1 ? 'warn' : 'debug', 'edit_refused', { server: this.#server, count });
    return { applied: false, failureReason: 'The client asked for no edit.' };
  }
}
