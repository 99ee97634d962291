import { limits } from '../../core/limits.ts';

/** Tells those who listen that something has stirred: soon after it did, at most twice a second, and until it is closed. */
export class ChangeHints {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  note(): void {
    if (this.#listeners.size > 0)
      this.#timer ??= setTimeout(() => this.#tell(), limits.resources.gap).unref();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#rest();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#rest();
  }

  #tell(): void {
    this.#rest();
    for (const listener of this.#listeners) listener();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
