import { limits } from '../../core/limits.ts';

/** Tells the caller one step: a number that only grows, and what is waited for. */
export type Notify = (step: { readonly progress: number; readonly message: string }) => Promise<void>;

/** The progress of one call: never faster than the limit, never silent for long, and nothing after its end. */
export class Progress {
  readonly #notify: Notify;
  #message: string;
  #steps = 0;
  #ended = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout;
  #sending: Promise<void> = Promise.resolve();

  constructor(waitingFor: string, notify: Notify) {
    this.#message = waitingFor;
    this.#notify = notify;
    this.#timer = this.#after(limits.call.progressEvery);
  }

  /** Says what is waited for. Of several messages within the gap only the last is told. */
  report(message: string): void {
    if (this.#ended) return;
    this.#message = message;
    clearTimeout(this.#timer);
    const wait = this.#sentAt + limits.progressGap - performance.now();
    if (wait > 0) this.#timer = this.#after(wait);
    else this.#tell();
  }

  /** Resolves when what was told is on its way, so that the answer cannot overtake it. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #tell(): void {
    this.#sentAt = performance.now();
    this.#sending = this.#notify({ progress: ++this.#steps, message: this.#message }).catch(() => {});
    this.#timer = this.#after(limits.call.progressEvery);
  }

  #after(time: number): NodeJS.Timeout {
    return setTimeout(() => this.#tell(), time);
  }
}
