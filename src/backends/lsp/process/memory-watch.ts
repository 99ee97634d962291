import { limits } from '../../../core/limits.ts';
import { repeatedTreeUse, type treeUse } from '../../../platform/processes/process-facts.ts';

/** Polls the memory of all running servers, including their descendants, in one query. */
export class MemoryWatch {
  readonly #use: typeof treeUse;
  readonly #looked: () => void;
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  #due = 0;

  constructor(
    use: typeof treeUse = repeatedTreeUse(),
    /** Called after each look. */
    looked: () => void = () => {},
  ) {
    this.#use = use;
    this.#looked = looked;
  }

  /** Watches a process until the returned function is called; calls `exceeded` once if it passes `most`. */
  watch(pid: number, most: number, exceeded: (used: number) => void): () => void {
    const watched: Watched = { most, exceeded, used: undefined, since: performance.now() };
    this.#watched.set(pid, watched);
    // A new server is looked at soon, also beside others that are looked at rarely; many new ones put off no look.
    const soon = performance.now() + limits.memoryCheckAtStart.every;
    if (this.#timer === undefined || this.#due > soon) this.#lookLater();
    return () => {
      if (this.#watched.get(pid) === watched) this.#watched.delete(pid);
      if (this.#watched.size === 0) this.#rest();
    };
  }

  /** Bytes used at the last check; `undefined` before the first one. */
  lastUseOf(pid: number): number | undefined {
    return this.#watched.get(pid)?.used;
  }

  /** True for a server that was started a short time ago. */
  isLoading(pid: number): boolean {
    const watched = this.#watched.get(pid);
    return watched !== undefined && performance.now() - watched.since < limits.memoryCheckAtStart.time;
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookLater(): void {
    const isAnyLoading = [...this.#watched.keys()].some((pid) => this.isLoading(pid));
    const { memoryCheckEvery, memoryCheckAtStart } = limits;
    const wait = isAnyLoading ? Math.min(memoryCheckAtStart.every, memoryCheckEvery) : memoryCheckEvery;
    this.#rest();
    this.#due = performance.now() + wait;
    this.#timer = setTimeout(() => void this.#look(), wait).unref();
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
    this.#looked();
    this.#rest();
    if (this.#watched.size > 0) this.#lookLater();
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
