import { limits } from '../../core/limits.ts';

/** Notifies listeners that something may have changed: soon after it did, at most twice a second, until closed. */
export class ChangeHints {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  note(): void {
    if (this.#listeners.size > 0)
      this.#timer ??= setTimeout(() => this.#notify(), limits.resources.gap).unref();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stopTimer();
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#stopTimer();
  }

  #notify(): void {
    this.#stopTimer();
    for (const listener of this.#listeners) listener();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
