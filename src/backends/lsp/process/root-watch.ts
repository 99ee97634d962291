import type { BigIntStats } from 'node:fs';
import { limits } from '../../../core/limits.ts';
import { fileFacts, isSameFile } from '../../../platform/files/file-facts.ts';

/**
 * Polls the folders in which servers run. A server does not notice that its folder is deleted, moved or replaced: it
 * keeps the old one and its memory, and answers about files that nobody sees. No event tells of a folder further above.
 */
export class RootWatch {
  readonly #watched = new Set<WatchedRoot>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches a folder as it is now until the returned function is called; calls `lost` once, with the reason. */
  watch(root: string, lost: (reason: string) => void): () => void {
    const watched = { root, before: fileFacts(root), lost };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.look(), limits.rootCheckEvery).unref();
    return () => this.#end(watched);
  }

  /** Looks at all folders at once. */
  look(): void {
    for (const watched of [...this.#watched]) {
      const reason = reasonOf(watched.before, fileFacts(watched.root));
      if (reason === undefined) continue;
      this.#end(watched);
      watched.lost(reason);
    }
  }

  #end(watched: WatchedRoot): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface WatchedRoot {
  readonly root: string;
  readonly before: BigIntStats | undefined;
  readonly lost: (reason: string) => void;
}

function reasonOf(before: BigIntStats | undefined, now: BigIntStats | undefined): string | undefined {
  if (!now?.isDirectory()) return 'Its folder no longer exists: it was moved or deleted.';
  return isSameFile(before, now) ? undefined : 'Its folder was replaced by another.';
}
