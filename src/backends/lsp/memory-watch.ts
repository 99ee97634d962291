import { limits } from '../../core/limits.ts';
import { treeUse } from '../../platform/process-facts.ts';

/** Watches what servers take of memory, with all that they started: all of them in one look, while any runs. */
export class MemoryWatch {
  readonly #use: typeof treeUse;
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(use: typeof treeUse = treeUse) {
    this.#use = use;
  }

  /** Watches a process until the function that it gives is called; tells once that it takes more than it may. */
  watch(pid: number, most: number, exceeded: (used: number) => void): () => void {
    const watched = { most, exceeded };
    this.#watched.set(pid, watched);
    this.#timer ??= this.#later();
    return () => {
      if (this.#watched.get(pid) === watched) this.#watched.delete(pid);
    };
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), limits.memoryCheckEvery).unref();
  }

  async #look(): Promise<void> {
    const asked = new Map(this.#watched);
    const uses = asked.size > 0 ? await this.#use([...asked.keys()]) : new Map();
    for (const [pid, watched] of asked) {
      const used = uses.get(pid)?.memory ?? 0;
      if (used <= watched.most || this.#watched.get(pid) !== watched) continue;
      this.#watched.delete(pid);
      watched.exceeded(used);
    }
    this.#timer = this.#watched.size > 0 ? this.#later() : undefined;
  }
}

interface Watched {
  readonly most: number;
  readonly exceeded: (used: number) => void;
}
