import type { Bridge } from '../../bridge.ts';
import { limits } from '../../core/limits.ts';

/** Who hears how the opening of a bridge goes. */
export interface PendingBridgeListener {
  /** Comes before anything passes. */
  opened(bridge: Bridge): void;
  /** Whether so much waits that nothing more should come. */
  full(isFull: boolean): void;
}

/**
 * Lets messages pass to the bridge in the order in which they came: at once when it is open, and all together as soon as
 * it is. So a text that a host tells of is known to every later message, on whichever channel that comes.
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

  /** Does something with the bridge; rejects with what that throws, or with why the bridge cannot be opened. */
  pass<T>(act: (bridge: Bridge) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // What is thrown in here rejects, also when it is done later.
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
