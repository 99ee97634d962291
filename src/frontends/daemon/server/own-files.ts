import type { BigIntStats } from 'node:fs';
import { limits } from '../../../core/limits.ts';
import { fileFacts, isSameFile } from '../../../platform/files/file-facts.ts';
import { removePrivateFile } from '../../../platform/files/private-file.ts';

/**
 * The files by which clients find a daemon. Somebody may delete them while it runs, and containers that share a folder share
 * no lock: then they are another daemon's.
 */
export class OwnFiles {
  readonly #made: readonly Made[];
  #timer: NodeJS.Timeout | undefined;

  constructor(files: readonly string[]) {
    this.#made = files.map((file) => ({ file, facts: fileFacts(file) }));
  }

  /** Calls `lost` once if one of them is not there any more. */
  watch(lost: () => void): void {
    const look = () => {
      if (this.#made.every(isThere)) return;
      this.#rest();
      lost();
    };
    this.#timer = setInterval(look, limits.daemon.look).unref();
  }

  /** Removes them, but none of another daemon. */
  remove(): void {
    this.#rest();
    for (const made of this.#made) if (isThere(made)) removePrivateFile(made.file);
  }

  #rest(): void {
    clearInterval(this.#timer);
  }
}

interface Made {
  readonly file: string;
  readonly facts: BigIntStats | undefined;
}

function isThere({ file, facts }: Made): boolean {
  return isSameFile(facts, fileFacts(file));
}
