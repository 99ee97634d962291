import { beginCall } from '../core/call.ts';
import { asLspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Engine } from './edits.ts';
import type { Edit } from './plan.ts';

/** What became of a call that was to change files, and whose answer was lost. */
export type CallFate =
  | { readonly state: 'done'; readonly edits: readonly Edit[] }
  /** The edit was begun, and undone completely. */
  | { readonly state: 'taken_back' }
  /** The edit was begun, and undone but for files that another program has changed. */
  | { readonly state: 'kept' }
  /** The edit was begun in other roots: the first call there undoes or completes it. */
  | { readonly state: 'unfinished'; readonly roots: readonly string[] }
  | { readonly state: 'not_done' };

/** Edits that processes left half done: recovered once, before any call reads files. */
export class Leftovers {
  /** Messages about what blocks every edit, but no reading. */
  readonly conflicts: string[] = [];
  readonly #edits: Engine;
  readonly #takenBack = new Set<string>();
  readonly #log: Log;
  #recovered: Promise<void> | undefined;

  constructor(edits: Engine, log: Log) {
    this.#edits = edits;
    this.#log = log;
  }

  /** Never rejects. */
  recover(time: number): Promise<void> {
    this.#recovered ??= this.#recover(time);
    return this.#recovered;
  }

  /** Returns what became of a call with this id, after `recover`. */
  fateOf(call: string): CallFate {
    const begun = this.#edits.madeBy(call);
    const left = begun.find(({ state }) => state === 'half_done');
    if (left) return { state: 'unfinished', roots: left.edit.roots };
    if (begun.some(({ state }) => state === 'kept')) return { state: 'kept' };
    if (begun.length > 0) return { state: 'done', edits: begun.map(({ edit }) => edit) };
    return { state: this.#takenBack.has(call) ? 'taken_back' : 'not_done' };
  }

  async #recover(time: number): Promise<void> {
    const call = beginCall({ time });
    const { undone, undoneCalls, completed, conflicts } = await this.#edits
      .recover(call)
      .catch((thrown: unknown) => this.#failedRecovery(thrown))
      .finally(() => call[Symbol.dispose]());
    if (undone.length + completed.length > 0) this.#log('warn', 'edits_recovered', { undone, completed });
    for (const id of undoneCalls) this.#takenBack.add(id);
    this.conflicts.push(...conflicts);
  }

  #failedRecovery(thrown: unknown) {
    this.#log('warn', 'recovery_failed', { error: thrown });
    return { undone: [], undoneCalls: [], completed: [], conflicts: [asLspanError(thrown).message] };
  }
}
