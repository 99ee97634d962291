import type { Bridge } from '../../bridge.ts';
import type { BridgeSettings } from '../../bridge-settings.ts';
import { limits } from '../../core/limits.ts';
import { ActiveSet } from '../../core/runtime/active-set.ts';
import { type Load, tuneEngine } from '../engine-flags.ts';
import { CallsInFlight } from './calls-in-progress.ts';

/** Finds the folders to work in, given those of the bridge that is open. */
export type FindRoots = (present?: readonly string[]) => Promise<readonly string[]>;

/** The bridge, loaded and opened when the first call needs it: clients connect only to list, and some twice. */
export class LazyBridge {
  /** The calls that go to any of its bridges. */
  readonly calls = new CallsInFlight();
  readonly #settings: Omit<BridgeSettings, 'roots'>;
  #present: OpenedBridge | undefined;
  #looking: Promise<Bridge> | undefined;
  #inDoubt = true;
  /** The present one, and those that still answer calls from before the roots changed. */
  readonly #opened = new Set<OpenedBridge>();
  readonly #listeners = new Set<(bridge: Bridge) => void>();

  constructor(settings: Omit<BridgeSettings, 'roots'>) {
    this.#settings = settings;
  }

  /** Calls at the same time share one opening; one that failed is tried again by the next call. */
  async open(findRoots: FindRoots): Promise<Bridge> {
    // What is being looked at may have been asked for before it was doubted.
    if (this.#inDoubt) await this.#looking?.catch(() => {});
    if (this.#present && !this.#inDoubt && !this.#looking) return this.#present;
    this.#looking ??= this.#look(findRoots).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The bridge that answers calls at present, if one was needed so far. */
  get present(): Bridge | undefined {
    return this.#present;
  }

  /** Called with each bridge that takes over, before it answers anything; gives a function that ends this. */
  onOpened(listener: (bridge: Bridge) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the code and opens nothing. */
  async load(): Promise<void> {
    await loadBridge();
  }

  /** The roots may have changed: the next call looks, and goes to a new bridge if they have. */
  doubtRoots(): void {
    this.#inDoubt = true;
  }

  /** The client has gone, so every step is hurried. */
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
    const [{ openBridge }, roots] = await Promise.all([loadBridge(), findRoots(old?.roots)]);
    if (old && areSame(old.roots, roots)) return old;
    const fresh = new OpenedBridge(await openBridge({ ...this.#settings, roots }), roots);
    this.#opened.add(fresh);
    this.#present = fresh;
    for (const listener of this.#listeners) listener(fresh);
    if (old) this.#retire(old, fresh);
    return fresh;
  }

  /** Nobody waits for the old bridge but the calls that it is still answering. */
  #retire(old: OpenedBridge, fresh: OpenedBridge): void {
    const { log } = this.#settings;
    log('info', 'roots.changed', { from: old.roots, to: fresh.roots });
    old
      .idle()
      .then(() => old.close())
      .catch((error) => log('error', 'bridge.close_failed', { error: String(error) }))
      .finally(() => this.#opened.delete(old));
  }

  async #closeAll(): Promise<void> {
    await Promise.all([...this.#opened].map((bridge) => bridge.close()));
  }
}

function loadBridge() {
  return import('../../bridge.ts');
}

/** A bridge with the folders it was opened for and the calls that it is answering. */
class OpenedBridge implements Bridge {
  readonly roots: readonly string[];
  readonly #bridge: Bridge;
  readonly #calls = new ActiveSet<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  #tunedFor: Load | undefined;
  /** When many calls were under way at last. */
  #manyAt = 0;

  constructor(bridge: Bridge, roots: readonly string[]) {
    this.#bridge = bridge;
    this.roots = roots;
  }

  get config(): Bridge['config'] {
    return this.#bridge.config;
  }

  get resources(): Bridge['resources'] {
    const { resources } = this.#bridge;
    return (
      resources && {
        ...resources,
        problemsOf: (...asked) => this.#counted(resources.problemsOf(...asked)),
      }
    );
  }

  get hostApi(): Bridge['hostApi'] {
    const { hostApi } = this.#bridge;
    return (
      hostApi && {
        ...hostApi,
        check: (...asked) => this.#counted(hostApi.check(...asked)),
        problems: (...asked) => this.#counted(hostApi.problems(...asked)),
        servers: (...asked) => this.#counted(hostApi.servers(...asked)),
      }
    );
  }

  health(): ReturnType<NonNullable<Bridge['health']>> {
    return this.#bridge.health?.() ?? [];
  }

  call(...asked: Parameters<Bridge['call']>): ReturnType<Bridge['call']> {
    return this.#counted(this.#bridge.call(...asked));
  }

  #counted<T>(asked: Promise<T>): Promise<T> {
    const leave = this.#calls.add(asked);
    return asked.finally(() => this.#answered(leave));
  }

  /** Code that runs often pays for its compilation; what runs up to the first answer does not. */
  #answered(leave: () => void): void {
    const load = this.#calls.size > limits.fewCalls ? 'many' : 'few';
    leave();
    const now = performance.now();
    if (load === 'many') this.#manyAt = now;
    const isStill = this.#tunedFor === 'many' && now - this.#manyAt < limits.calmAfter;
    if (this.#tunedFor === load || isStill) return;
    this.#tunedFor = load;
    setImmediate(tuneEngine, load);
  }

  /** Resolves when the calls under way have their answers. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#calls);
  }

  close(): Promise<void> {
    this.#closing ??= this.#bridge.close({ hurried: true });
    return this.#closing;
  }
}

/** The order in which a client lists its folders says nothing. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  const [a, b] = [new Set(some), new Set(others)];
  return a.size === b.size && [...a].every((root) => b.has(root));
}
