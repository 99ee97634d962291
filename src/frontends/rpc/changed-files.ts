import { limits } from '../../core/limits.ts';

/** Gathers the files whose problems may have changed, so that a host is told of many at once, and not too often. */
export class ChangedFiles {
  readonly #tell: (files: readonly string[] | null) => void;
  /** `null` when any file may have changed. */
  #changed: Set<string> | null = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** @param tell Hears the files in alphabetical order, or `null` for any; at most once in `limits.rpc.gap`. */
  constructor(tell: (files: readonly string[] | null) => void) {
    this.#tell = tell;
  }

  /** Notes a file, or without one that it may be any. */
  note(file: string | undefined): void {
    if (file === undefined) this.#changed = null;
    else this.#changed?.add(file);
    if (this.#changed && this.#changed.size > limits.rpc.changedFiles) this.#changed = null;
    this.#timer ??= setTimeout(() => this.#flush(), limits.rpc.gap).unref();
  }

  /** Forgets what was gathered, and tells nothing more of it. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed = new Set();
  }

  #flush(): void {
    const changed = this.#changed;
    this.forget();
    this.#tell(changed && [...changed].sort());
  }
}
