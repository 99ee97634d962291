import type { Stats } from 'node:fs';
import { limits } from '../../core/limits.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import type { ChangeSet } from './change-set.ts';

/** Files that were read though nothing watches them (ignored ones, libraries): compared at every barrier. */
export class TrackedFiles {
  /** By path, the least recently read first; an empty signature has to count as changed. */
  readonly #signatures = new Map<string, string>();

  has(path: string): boolean {
    return this.#signatures.has(path);
  }

  /**
   * Begins to track a file as it was when read; gives back the one that had to make room. What others may have read
   * before, as a server an ignored file, counts as changed since.
   */
  track(path: string, stats: Stats, others = false): string | undefined {
    this.#signatures.delete(path);
    this.#signatures.set(path, others || isUnsettled(stats) ? '' : signatureOf(stats));
    const [oldest] = this.#signatures.keys();
    if (this.#signatures.size <= limits.trackedFiles || oldest === undefined) return undefined;
    this.#signatures.delete(oldest);
    return oldest;
  }

  /** Notes what changed, and hands over what is watched by now. */
  compare(changes: ChangeSet, isWatched: (path: string) => boolean): void {
    for (const [path, before] of this.#signatures) {
      const stats = statsOf(path);
      const after = stats?.isFile() ? signatureOf(stats) : undefined;
      if (after !== before) changes.add(path, after === undefined ? 'deleted' : 'changed');
      if (after === undefined || isWatched(path)) this.#signatures.delete(path);
      else if (after !== before && stats) this.#signatures.set(path, isUnsettled(stats) ? '' : after);
    }
  }
}
