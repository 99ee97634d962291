import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';

/** A list that can be kept and found again. */
export interface KeptList {
  readonly id: string;
  readonly bytes: number;
}

/** Keeps the lists that were told in part; the least recently used are forgotten, and those nobody has used for long. */
export class ListSnapshots<L extends KeptList> {
  readonly #kept: BoundedCache<L>;

  constructor(
    quota: SharedQuota = new SharedQuota(limits.listSnapshots.bytes),
    /** Counts milliseconds. */
    now: () => number = () => performance.now(),
  ) {
    const { kept: count, unused } = limits.listSnapshots;
    this.#kept = new BoundedCache({ quota, count, unused, now });
  }

  /** Remembers a list, or that it was used. */
  keep(list: L): void {
    this.#kept.set(list.id, list, list.bytes);
  }

  /** The list of an id. Throws `cursor_expired` where it has been forgotten. */
  find(id: string): L {
    const found = this.#kept.get(id);
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
