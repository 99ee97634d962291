/** Things that happened, which can also be waited for. */
export class Happenings<T> {
  readonly all: T[] = [];
  readonly #listeners = new Set<() => void>();

  add(one: T): void {
    this.all.push(one);
    for (const listener of this.#listeners) listener();
  }

  /** Resolves with the nth that is meant, which may have happened already. */
  nth(isMeant: (one: T) => boolean, nth = 1): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.all.filter(isMeant)[nth - 1];
        if (found === undefined) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }
}
