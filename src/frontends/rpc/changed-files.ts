import { limits } from '../../core/limits.ts';

/** Collects files whose diagnostics may have changed, so that a host gets few notifications. */
export class ChangedFiles {
  readonly #tell: (files: readonly string[] | null) => void;
  /** `null` when any file may have changed. */
  #changed: Set<string> | null = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** @param tell Gets files in alphabetical order, or `null` for any; at most once in `limits.rpc.gap`. */
  constructor(tell: (files: readonly string[] | null) => void) {
    this.#tell = tell;
  }

  /** Adds a file; `undefined` means any file. */
  note(file: string | undefined): void {
    if (file === undefined) this.#changed = null;
    else this.#changed?.add(file);
    if (this.#changed && this.#changed.size > limits.rpc.changedFiles) this.#changed = null;
    this.#timer ??= setTimeout(() => this.#flush(), limits.rpc.gap).unref();
  }

  /** Drops the collected files without a notification. */
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
