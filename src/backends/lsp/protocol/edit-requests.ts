import { type Call, cancelSignalOf, within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { FairLock } from '../../../core/runtime/fair-lock.ts';

/** The reply to `workspace/applyEdit`. */
interface Applied {
  readonly applied: boolean;
  readonly failureReason?: string;
}

/** Handles the edits that a server asks for: collects those of a command that we sent, refuses all others. */
export class EditRequests {
  readonly #server: string;
  readonly #log: Log;
  readonly #lock = new FairLock();
  /** Edits that the running command has asked for. */
  #taken: unknown[] | undefined;
  #heard: () => void = () => {};
  #refused = 0;

  constructor(server: string, log: Log) {
    this.#server = server;
    this.#log = log;
  }

  /** Writes nothing: the reply says that it did, and the sender of the command decides about the edit. */
  answer(edit: unknown): Applied {
    if (!this.#taken) return this.#refuse();
    this.#heard();
    // Accept one more than the limit, so that `during` detects the excess.
    if (this.#taken.length > limits.commandEdits) return this.#refuse();
    this.#taken.push(edit);
    return { applied: true };
  }

  /** Returns the edits requested while a command runs; one at a time, as edits do not name their command. */
  async during(call: Call, command: () => Promise<unknown>): Promise<readonly unknown[]> {
    await this.#lock.enter('alone', cancelSignalOf(call));
    const taken: unknown[] = [];
    this.#taken = taken;
    const heard = new Promise<void>((resolve) => {
      this.#heard = resolve;
    });
    // Some servers reply to the command first, and then ask for the edit.
    const asked = command().then(() => within(heard, limits.emptyAnswer.wait, cancelSignalOf(call)));
    return asked
      .then(() => this.#whole(taken))
      .finally(() => {
        this.#taken = undefined;
        this.#lock.leave('alone');
      });
  }

  /** Fails above the limit, because a part of a command's edits is not what it wants. */
  #whole(taken: readonly unknown[]): readonly unknown[] {
    if (taken.length <= limits.commandEdits) return taken;
    const message = `A command of ${this.#server} sent more than ${limits.commandEdits} edits; none was applied.`;
    throw new LspanError('limit_exceeded', message, { nextStep: 'Make the change in smaller steps.' });
  }

  /** Warns only once, because a server may go on asking without end. */
  #refuse(): Applied {
    const count = ++this.#refused;
    this.#log(count === 1 ? 'warn' : 'debug', 'edit_refused', { server: this.#server, count });
    return { applied: false, failureReason: 'The client asked for no edit.' };
  }
}
