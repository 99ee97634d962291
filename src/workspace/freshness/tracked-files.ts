import type { Stats } from 'node:fs';
import { limits } from '../../core/limits.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { isUnsettled, signatureOf, statsOf } from '../gate/signature.ts';
import type { ChangeSet } from './change-set.ts';

/** Files that were read though nothing watches them (ignored files, libraries): compared at every barrier. */
export class TrackedFiles {
  /** By path; an empty signature counts as changed. */
  readonly #files: BoundedCache<{ signature: string }>;

  /** @param onEvict Called with each path that had to make room. */
  constructor(onEvict: (path: string) => void) {
    this.#files = new BoundedCache({ count: limits.trackedFiles, onEvict: (_, path) => onEvict(path) });
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /**
   * Tracks a file as it was when read. A file that others may have read before, such as an ignored one that a server
   * read, counts as changed since.
   */
  track(path: string, stats: Stats, readByOthers = false): void {
    this.#files.set(path, { signature: readByOthers || isUnsettled(stats) ? '' : signatureOf(stats) });
  }

  /** Adds what changed to `changes`, and stops tracking what is watched by now. */
  compare(changes: ChangeSet, isWatched: (path: string) => boolean): void {
    for (const [path, file] of this.#files) {
      const stats = statsOf(path);
      const after = stats?.isFile() ? signatureOf(stats) : undefined;
      const isChanged = after !== file.signature;
      if (isChanged) changes.add(path, after === undefined ? 'deleted' : 'changed');
      if (after === undefined || isWatched(path)) this.#files.delete(path);
      else if (isChanged && stats) file.signature = isUnsettled(stats) ? '' : after;
    }
  }
}
