import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Budget } from './budget.ts';
import type { Outcome } from './run-tool.ts';
import type { World } from './tool.ts';

/** Where a list is told from, and why what is known of the disk just now may be old. */
export interface TellFrom {
  readonly offset: number;
  readonly watched: readonly Doubt[];
}

/** A list as it was when it was first told, so that a later call can go on with it. */
export interface ListSnapshot {
  readonly id: string;
  /** What was asked, defaults included. */
  readonly question: string;
  /** The state of the disk that the list is known to be true of. */
  readonly generation: number;
  readonly bytes: number;
  /** Tells what begins at an offset. */
  tell(world: World, from: TellFrom, budget: Budget, call: Call): Promise<Outcome>;
  /** The same question asked again: a list of the same id where nothing about it has changed. */
  anew(world: World, call: Call): Promise<ListSnapshot>;
}

/** Keeps the lists that were told in part; the least recently used are forgotten, and those nobody has used for long. */
export class ListSnapshots {
  readonly #kept = new Map<string, { readonly list: ListSnapshot; readonly used: number }>();
  readonly #now: () => number;
  #bytes = 0;

  /** The clock counts milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers a list, or that it was used. */
  keep(list: ListSnapshot): void {
    this.#drop(list.id);
    this.#kept.set(list.id, { list, used: this.#now() });
    this.#bytes += list.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= limits.listSnapshots.kept && this.#bytes <= limits.listSnapshots.bytes) break;
      this.#drop(oldest);
    }
  }

  /** The list of an id. Throws `cursor_expired` where it has been forgotten. */
  find(id: string): ListSnapshot {
    const longest = limits.listSnapshots.unused;
    for (const [old, { used }] of this.#kept) if (this.#now() - used > longest) this.#drop(old);
    const found = this.#kept.get(id);
    if (!found) throw expired();
    this.keep(found.list);
    return found.list;
  }

  #drop(id: string): void {
    this.#bytes -= this.#kept.get(id)?.list.bytes ?? 0;
    this.#kept.delete(id);
  }
}

function expired(): LspanError {
  return new LspanError('cursor_expired', 'The list that this cursor goes on with is not known any more.', {
    nextStep: 'Ask the same question again without `cursor`.',
  });
}
