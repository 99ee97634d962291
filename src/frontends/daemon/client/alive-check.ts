import { limits } from '../../../core/limits.ts';
import type { Channel } from '../channel.ts';

/** Asks from time to time, while requests wait, whether the other side is alive; if not, whoever can end it does, and they are rejected. */
export class AliveCheck {
  readonly #channel: Channel;
  readonly #onSilent: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;

  /** @param onSilent Called again and again while a question is not answered. */
  constructor(channel: Channel, onSilent: () => void) {
    this.#channel = channel;
    this.#onSilent = onSilent;
  }

  /** Called before a request. One timer is for all of them, and ends some time after the last. */
  begin(): void {
    this.#timer ??= setInterval(() => this.#check(), limits.daemon.alive).unref();
  }

  #check(): void {
    if (!this.#channel.isWaiting) this.#end();
    else if (this.#isAsked) this.#onSilent();
    else this.#ask();
  }

  #ask(): void {
    this.#isAsked = true;
    this.#channel.request('alive', {}).then(
      () => {
        this.#isAsked = false;
      },
      () => this.#end(),
    );
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
