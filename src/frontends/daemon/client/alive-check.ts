import { limits } from '../../../core/limits.ts';
import type { Channel } from '../channel.ts';
import type { DaemonPlace } from '../place.ts';
import { replaceIfHung } from './obtain-daemon.ts';

/** Asks from time to time, while requests wait, whether the daemon is alive, and ends one that hangs: they are then rejected. */
export class AliveCheck {
  readonly #channel: Channel;
  readonly #place: DaemonPlace;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;

  constructor(channel: Channel, place: DaemonPlace) {
    this.#channel = channel;
    this.#place = place;
  }

  /** Called before a request. One timer is for all of them, and ends some time after the last. */
  begin(): void {
    this.#timer ??= setInterval(() => this.#check(), limits.daemon.alive).unref();
  }

  #check(): void {
    if (!this.#channel.isWaiting) this.#end();
    else if (this.#isAsked) void replaceIfHung(this.#place);
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
