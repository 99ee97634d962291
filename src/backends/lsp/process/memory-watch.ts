import { limits } from '../../../core/limits.ts';
import { treeUse } from '../../../platform/processes/process-facts.ts';

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
    const watched: Watched = { most, exceeded, used: undefined };
    this.#watched.set(pid, watched);
    this.#timer ??= this.#later();
    return () => {
      if (this.#watched.get(pid) === watched) this.#watched.delete(pid);
      if (this.#watched.size === 0) this.#rest();
    };
  }

  /** What a process took when it was last looked at, if it was. */
  lastUseOf(pid: number): number | undefined {
    return this.#watched.get(pid)?.used;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), limits.memoryCheckEvery).unref();
  }

  async #look(): Promise<void> {
    const asked = new Map(this.#watched);
    const uses = asked.size > 0 ? await this.#use([...asked.keys()]) : new Map();
    for (const [pid, watched] of asked) {
      const used = uses.get(pid)?.memory ?? 0;
      watched.used = used;
      if (used <= watched.most || this.#watched.get(pid) !== watched) continue;
      this.#watched.delete(pid);
      watched.exceeded(used);
    }
    this.#rest();
    if (this.#watched.size > 0) this.#timer = this.#later();
  }
}

interface Watched {
  readonly most: number;
  readonly exceeded: (used: number) => void;
  /** Bytes, at the latest look. */
  used: number | undefined;
}
