/**
 * Lets many callers share the passes over the disk: a pass serves whoever asked before it began.
 * Who asks while one runs may mean a change that it has missed, and so shares the next one with all who wait.
 */
export class Barrier<T> {
  readonly #pass: () => Promise<T>;
  #latest: Promise<unknown>;
  #next: Promise<T> | undefined;

  /** `first` is under way already; no pass begins before it ends. */
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

  /** Ends when nothing is under way any more, however that ended. */
  async idle(): Promise<void> {
    await this.#latest.catch(() => {});
  }
}

// A pass may fail when nobody waits for it any more; the next one tells.
function observed<T>(pass: Promise<T>): Promise<T> {
  pass.catch(() => {});
  return pass;
}
