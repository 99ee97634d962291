import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';

/** Follows the progress by which a server says that it is checking what it was sent. */
export class CheckProgress {
  readonly #title: RegExp | undefined;
  /** Tokens of the running checks. */
  readonly #running = new Set<unknown>();
  readonly #onEnd: () => void;
  #isTold = false;

  constructor(title: RegExp | undefined, onEnd: () => void) {
    this.#title = title;
    this.#onEnd = onEnd;
  }

  /** True if the server has told of a check: only then does silence mean that none is running. */
  get isTold(): boolean {
    return this.#isTold;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** True if one check is running at most: what it publishes is not mixed with what others have found. */
  get isSingle(): boolean {
    return this.#running.size < 2;
  }

  /** Returns whether a message only says that a check begins, goes on or ends. */
  onMessage(method: string, params: unknown): boolean {
    if (method !== '$/progress' || this.#title === undefined) return false;
    const { token, value } = object(params);
    const { kind, title } = object(value);
    if (kind === 'begin') return this.#begin(token, text(title) ?? '');
    if (!this.#running.has(token)) return false;
    if (kind === 'end') {
      this.#running.delete(token);
      this.#onEnd();
    }
    return true;
  }

  #begin(token: unknown, title: string): boolean {
    if (this.#title?.test(title) !== true) return false;
    this.#isTold = true;
    // Beyond the limit, further tokens make no difference: it is checking anyway.
    if (this.#running.size < limits.progressTokens) this.#running.add(token);
    return true;
  }
}
