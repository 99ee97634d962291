import type { Bridge } from '../../bridge.ts';
import { limits } from '../../core/limits.ts';

/** Listens to the opening of a bridge. */
interface PendingBridgeListener {
  /** Called before any message passes. */
  opened(bridge: Bridge): void;
  /** Called with true when so many messages wait that reading should pause, with false when it may resume. */
  full(isFull: boolean): void;
}

/**
 * Passes messages to the bridge in order of arrival: at once if it is open, or all together as soon as it is.
 * So every later message, on either channel, sees a text that a host has sent.
 */
export class PendingBridge {
  readonly #open: () => Promise<Bridge>;
  readonly #listener: PendingBridgeListener;
  #bridge: Bridge | undefined;
  #waiting: Waiting[] = [];

  constructor(open: () => Promise<Bridge>, listener: PendingBridgeListener) {
    this.#open = open;
    this.#listener = listener;
  }

  /** Runs a function on the bridge; rejects with its exception, or with why the bridge cannot be opened. */
  pass<T>(act: (bridge: Bridge) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // An exception in here rejects, also when it runs later.
      const enter = (bridge: Bridge) => resolve(new Promise<T>((done) => done(act(bridge))));
      if (this.#bridge) enter(this.#bridge);
      else this.#wait({ enter, reject });
    });
  }

  #wait(one: Waiting): void {
    this.#waiting.push(one);
    if (this.#waiting.length === limits.rpc.waiting) this.#listener.full(true);
    if (this.#waiting.length > 1) return;
    this.#open().then(
      (bridge) => {
        this.#bridge = bridge;
        this.#listener.opened(bridge);
        for (const { enter } of this.#taken()) enter(bridge);
      },
      (thrown: unknown) => {
        for (const { reject } of this.#taken()) reject(thrown);
      },
    );
  }

  #taken(): readonly Waiting[] {
    const taken = this.#waiting;
    this.#waiting = [];
    if (taken.length >= limits.rpc.waiting) this.#listener.full(false);
    return taken;
  }
}

interface Waiting {
  enter(bridge: Bridge): void;
  reject(thrown: unknown): void;
}
