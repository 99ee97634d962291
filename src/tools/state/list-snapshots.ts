import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { KeptThings, SharedRoom } from '../../core/runtime/bounded-cache.ts';
import type { Budget, Outcome, World } from '../run/tool.ts';

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
  readonly #kept: KeptThings<ListSnapshot>;

  constructor(
    room: SharedRoom = new SharedRoom(limits.listSnapshots.bytes),
    /** Counts milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    const { kept, unused } = limits.listSnapshots;
    this.#kept = new KeptThings({ room, most: kept, unused, now });
  }

  /** Remembers a list, or that it was used. */
  keep(list: ListSnapshot): void {
    this.#kept.keep(list.id, list, list.bytes);
  }

  /** The list of an id. Throws `cursor_expired` where it has been forgotten. */
  find(id: string): ListSnapshot {
    const found = this.#kept.find(id);
    if (!found) throw expired();
    return found;
  }

  /** Forgets all, for good. */
  close(): void {
    this.#kept.close();
  }
}

function expired(): LspanError {
  return new LspanError('cursor_expired', 'The list that this cursor goes on with is not known any more.', {
    nextStep: 'Ask the same question again without `cursor`.',
  });
}
