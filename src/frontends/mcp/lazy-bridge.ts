import type { Bridge, BridgeSettings } from '../../bridge.ts';

/** The bridge, loaded and opened when the first call needs it: clients connect only to list, and some twice. */
export class LazyBridge {
  readonly #settings: Omit<BridgeSettings, 'roots'>;
  #opening: Promise<Bridge> | undefined;

  constructor(settings: Omit<BridgeSettings, 'roots'>) {
    this.#settings = settings;
  }

  /** Calls at the same time share one opening; one that failed is tried again by the next call. */
  open(findRoots: () => Promise<readonly string[]>): Promise<Bridge> {
    this.#opening ??= this.#start(findRoots).catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** The client has gone, so every step is hurried. */
  async close(): Promise<void> {
    const bridge = await this.#opening?.catch(() => undefined);
    await bridge?.close({ hurried: true });
  }

  async #start(findRoots: () => Promise<readonly string[]>): Promise<Bridge> {
    const [{ openBridge }, roots] = await Promise.all([import('../../bridge.ts'), findRoots()]);
    return openBridge({ ...this.#settings, roots });
  }
}
