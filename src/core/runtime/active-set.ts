/**
 * Those who are there for the moment, in no order. A `Set` would do, but is dear where many pass through it: V8 has each
 * table that it leaves behind point to the next one, so that a table that has grown old keeps all who were in it and came
 * after it, with what they hold, until the whole heap is swept.
 */
export class ActiveSet<T> implements Iterable<T> {
  readonly #places: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Lets one in; gives what lets it out, once. */
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
