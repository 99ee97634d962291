import type { Bridge } from '../../bridge.ts';
import type { BridgeSettings } from '../../bridge-settings.ts';
import { type BridgeOpener, inThisProcess, type OnCatalogue } from '../daemon/client/open-shared.ts';
import { EngineTuner } from '../engine-flags.ts';
import { registerOfClients } from './take-call.ts';

/**
 * Finds the workspace folders, given those of the open bridge; `undefined` if the client does not say whether it still has
 * those: they stay, and the next call asks again.
 */
export type FindRoots = (present?: readonly string[]) => Promise<readonly string[] | undefined>;

/** The bridge, loaded and opened at the first call: some clients connect only to list, and some twice. */
export class LazyBridge {
  /** The calls to all of its bridges. */
  readonly calls = registerOfClients();
  readonly #settings: Omit<BridgeSettings, 'roots'>;
  readonly #opener: BridgeOpener;
  readonly #tuner = new EngineTuner();
  #present: OpenedBridge | undefined;
  #looking: Promise<Bridge> | undefined;
  #inDoubt = true;
  /** The present one, and those that still answer calls from before the roots changed. */
  readonly #opened = new Set<OpenedBridge>();
  readonly #listeners = new Set<(bridge: Bridge) => void>();

  constructor(settings: Omit<BridgeSettings, 'roots'>, opener: BridgeOpener = inThisProcess) {
    this.#settings = settings;
    this.#opener = opener;
  }

  /** Concurrent calls share one opening; after a failure the next call tries again. */
  async open(findRoots: FindRoots): Promise<Bridge> {
    // A lookup in progress may have begun before the roots were doubted.
    while (this.#inDoubt && this.#looking) await this.#looking.catch(() => {});
    if (this.ready) return this.ready;
    this.#looking ??= this.#look(findRoots).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Opens a bridge for these folders, if there is none, without asking the client: the next call does that. */
  async openUnasked(roots: readonly string[]): Promise<Bridge> {
    if (this.#looking) await this.#looking.catch(() => {});
    if (this.#present) return this.#present.bridge;
    this.#looking ??= this.#renew(async () => roots).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The bridge, if a call need not wait for it. */
  get ready(): Bridge | undefined {
    return this.#inDoubt || this.#looking ? undefined : this.#present?.bridge;
  }

  /** The bridge that answers calls at present, if one was needed so far. */
  get present(): Bridge | undefined {
    return this.#present?.bridge;
  }

  /** Calls the listener with each new bridge before it answers calls; returns a function that removes it. */
  onOpened(listener: (bridge: Bridge) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener with the catalogue of another version of lspan, when one answers. */
  onCatalogue(listener: OnCatalogue): void {
    this.#opener.onCatalogue?.(listener);
  }

  /** Loads the code without opening a bridge. */
  async load(): Promise<void> {
    await this.#opener.load();
  }

  /** The roots may have changed: the next call checks, and goes to a new bridge if they have. */
  doubtRoots(): void {
    this.#inDoubt = true;
  }

  /** The client has disconnected, so every step is hurried. */
  async close(): Promise<void> {
    const late = this.#looking?.then(
      () => this.#closeAll(),
      () => {},
    );
    await Promise.all([this.#closeAll(), late]);
  }

  async #look(findRoots: FindRoots): Promise<Bridge> {
    this.#inDoubt = false;
    return this.#renew(findRoots).catch((error) => {
      this.#inDoubt = true;
      throw error;
    });
  }

  async #renew(findRoots: FindRoots): Promise<Bridge> {
    const old = this.#present;
    const [found] = await Promise.all([findRoots(old?.roots), this.#opener.load()]);
    if (found === undefined) this.#inDoubt = true;
    const roots = found ?? old?.roots ?? [];
    if (old && areSame(old.roots, roots)) return old.bridge;
    const onCallRemoved = (left: number) => this.#tuner.onCallRemoved(left);
    const bridge = await this.#opener.open({ ...this.#settings, roots, onCallRemoved });
    const fresh = new OpenedBridge(bridge, roots);
    this.#opened.add(fresh);
    this.#present = fresh;
    for (const listener of this.#listeners) listener(bridge);
    if (old) this.#retire(old, fresh);
    return bridge;
  }

  /** Closes the old bridge once it has answered its calls; nothing waits for this. */
  #retire(old: OpenedBridge, fresh: OpenedBridge): void {
    const { log } = this.#settings;
    log('info', 'roots.changed', { from: old.roots, to: fresh.roots });
    old.bridge.calls
      .idle()
      .then(() => old.close())
      .catch((error) => log('error', 'bridge.close_failed', { error: String(error) }))
      .finally(() => this.#opened.delete(old));
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#opened].map((opened) => opened.close()));
  }
}

class OpenedBridge {
  readonly bridge: Bridge;
  readonly roots: readonly string[];
  #closing: Promise<void> | undefined;

  constructor(bridge: Bridge, roots: readonly string[]) {
    this.bridge = bridge;
    this.roots = roots;
  }

  close(): Promise<void> {
    this.#closing ??= this.bridge.close({ hurried: true });
    return this.#closing;
  }
}

/** The order in which a client lists its folders does not matter. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  const [a, b] = [new Set(some), new Set(others)];
  return a.size === b.size && [...a].every((root) => b.has(root));
}
