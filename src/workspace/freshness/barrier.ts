/**
 * Lets many callers share passes over the disk: a pass serves every caller that asked before it began.
 * A caller that asks while one runs may mean a change that it missed, and so shares the next one with all that wait.
 */
export class Barrier<T> {
  readonly #pass: () => Promise<T>;
  #latest: Promise<unknown>;
  #next: Promise<T> | undefined;

  /** @param first Already running; no pass begins before it ends. */
  constructor(first: Promise<unknown>, pass: () => Promise<T>) {
    this.#pass = pass;
    this.#latest = observed(first);
  }

  wait(): Promise<T> {
    if (this.#next) return this.#next;
    const begin = () => {
      this.#next = undefined;
      return this.#pass();
    };
    const next = observed(this.#latest.then(begin, begin));
    this.#next = next;
    this.#latest = next;
    return next;
  }

  /** Resolves when no pass is running, even if the last one failed. */
  async idle(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}

// A pass may fail when no caller waits for it any more; the next one reports the failure.
function observed<T>(pass: Promise<T>): Promise<T> {
  pass.catch(() => {});
  return pass;
}
