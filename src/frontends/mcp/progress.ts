import { limits } from '../../core/limits.ts';

/** Sends one progress step to the caller: an increasing number, and what the call waits for. */
export type Notify = (step: { readonly progress: number; readonly message: string }) => Promise<void>;

/** The progress of one call: never faster than the limit, never silent for long, nothing after its end. */
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

  /** Reports what the call waits for. Within the gap only the last message is sent. */
  report(message: string): void {
    if (this.#ended) return;
    this.#message = message;
    clearTimeout(this.#timer);
    const wait = this.#sentAt + limits.progressGap - performance.now();
    if (wait > 0) this.#timer = this.#after(wait);
    else this.#tell();
  }

  /** Resolves when all progress has been sent, so that the answer cannot overtake it. */
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
