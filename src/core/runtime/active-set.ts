/**
 * An unordered set of short-lived items. A `Set` is expensive if many items pass through it: V8 links each
 * discarded hash table to its successor, so a table in the old generation retains all items of its own and
 * of later tables, with all that they reference, until a full garbage collection.
 */
export class ActiveSet<T> implements Iterable<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Adds an item; returns a function that removes it (calling it again does nothing). */
  add(one: T): () => void {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = one;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#places[place] = undefined;
      this.#free.push(place);
    };
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const one of this.#places) if (one !== undefined) yield one;
  }
}
