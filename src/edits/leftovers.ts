import { beginCall } from '../core/call.ts';
import { asLspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Edits } from './edits.ts';

/** What processes left half done in a workspace: ended once, before anybody looks at the files. */
export class Leftovers {
  /** What is in the way: it refuses every edit, and keeps nobody from reading. */
  readonly told: string[] = [];
  readonly #edits: Edits;
  readonly #log: Log;
  #ended: Promise<void> | undefined;

  constructor(edits: Edits, log: Log) {
    this.#edits = edits;
    this.#log = log;
  }

  /** Never rejects. */
  end(time: number): Promise<void> {
    this.#ended ??= this.#end(time);
    return this.#ended;
  }

  async #end(time: number): Promise<void> {
    const call = beginCall({ time });
    const { undone, completed, conflicts } = await this.#edits
      .recover(call)
      .catch((thrown: unknown) => this.#failed(thrown))
      .finally(() => call[Symbol.dispose]());
    if (undone.length + completed.length > 0) this.#log('warn', 'edits_recovered', { undone, completed });
    this.told.push(...conflicts);
  }

  #failed(thrown: unknown) {
    this.#log('warn', 'recovery_failed', { error: thrown });
    return { undone: [], completed: [], conflicts: [asLspanError(thrown).message] };
  }
}
