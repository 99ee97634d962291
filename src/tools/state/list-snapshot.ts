import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';

/** A list that can be kept and found again. */
export interface KeptList {
  readonly id: string;
  readonly bytes: number;
}

/** Keeps lists of which only a part was shown; forgets the least recently used, and those unused for long. */
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

  /** Keeps a list, or renews it. */
  keep(list: L): void {
    this.#kept.set(list.id, list, list.bytes);
  }

  /** Returns the list of an id. Throws `cursor_expired` if it has been forgotten. */
  find(id: string): L {
    const found = this.#kept.get(id);
    if (!found) throw expired();
    return found;
  }

  /** Forgets everything and keeps nothing more. */
  close(): void {
    this.#kept.close();
  }
}

function expired(): LspanError {
  return new LspanError('cursor_expired', 'The list of this cursor has expired.', {
    nextStep: 'Ask the same question again without `cursor`.',
  });
}
