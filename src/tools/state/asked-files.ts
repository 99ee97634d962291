import { limits } from '../../core/limits.ts';

/** Keeps the files that a caller has asked about, the latest last; the oldest are forgotten. */
export class AskedFiles {
  readonly #paths = new Set<string>();

  /** The real paths. */
  get paths(): readonly string[] {
    return [...this.#paths];
  }

  note(path: string): void {
    this.#paths.delete(path);
    this.#paths.add(path);
    const [oldest] = this.#paths;
    if (this.#paths.size > limits.askedFiles && oldest !== undefined) this.#paths.delete(oldest);
  }
}
