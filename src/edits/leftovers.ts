import { beginCall } from '../core/call.ts';
import { asLspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Edits } from './edits.ts';

/** Edits that processes left half done: recovered once, before any call reads files. */
export class Leftovers {
  /** Messages about what blocks every edit, but no reading. */
  readonly conflicts: string[] = [];
  readonly #edits: Edits;
  readonly #log: Log;
  #recovered: Promise<void> | undefined;

  constructor(edits: Edits, log: Log) {
    this.#edits = edits;
    this.#log = log;
  }

  /** Never rejects. */
  recover(time: number): Promise<void> {
    this.#recovered ??= this.#recover(time);
    return this.#recovered;
  }

  async #recover(time: number): Promise<void> {
    const call = beginCall({ time });
    const { undone, completed, conflicts } = await this.#edits
      .recover(call)
      .catch((thrown: unknown) => this.#failedRecovery(thrown))
      .finally(() => call[Symbol.dispose]());
    if (undone.length + completed.length > 0) this.#log('warn', 'edits_recovered', { undone, completed });
    this.conflicts.push(...conflicts);
  }

  #failedRecovery(thrown: unknown) {
    this.#log('warn', 'recovery_failed', { error: thrown });
    return { undone: [], completed: [], conflicts: [asLspanError(thrown).message] };
  }
}
