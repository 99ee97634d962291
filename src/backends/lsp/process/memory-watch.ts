import { limits } from '../../../core/limits.ts';
import { treeUse } from '../../../platform/processes/process-facts.ts';

/** Polls the memory of all running servers, including their descendants, in one query. */
export class MemoryWatch {
  readonly #use: typeof treeUse;
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(use: typeof treeUse = treeUse) {
    this.#use = use;
  }

  /** Watches a process until the returned function is called; calls `exceeded` once if it passes `most`. */
  watch(pid: number, most: number, exceeded: (used: number) => void): () => void {
    const watched: Watched = { most, exceeded, used: undefined, since: performance.now() };
    this.#watched.set(pid, watched);
    // A new server is looked at soon, also beside others that are looked at rarely.
    this.#rest();
    this.#timer = this.#later();
    return () => {
      if (this.#watched.get(pid) === watched) this.#watched.delete(pid);
      if (this.#watched.size === 0) this.#rest();
    };
  }

  /** Bytes used at the last check; `undefined` before the first one. */
  lastUseOf(pid: number): number | undefined {
    return this.#watched.get(pid)?.used;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #later(): NodeJS.Timeout {
    const now = performance.now();
    const { every, time } = limits.memoryCheckAtStart;
    const isLoading = [...this.#watched.values()].some(({ since }) => now - since < time);
    const wait = isLoading ? Math.min(every, limits.memoryCheckEvery) : limits.memoryCheckEvery;
    return setTimeout(() => void this.#look(), wait).unref();
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
  /** When the server was started. */
  readonly since: number;
  /** Bytes, at the last check. */
  used: number | undefined;
}
