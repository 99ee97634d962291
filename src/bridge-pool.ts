import { createHash } from 'node:crypto';
import { MemoryBudget } from './backends/lsp/process/memory-budget.ts';
import { sharedVariables } from './backends/lsp/process/server-environment.ts';
import { type Bridge, openBridge } from './bridge.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import { effectiveConfig } from './effective-config.ts';
import { realFile } from './platform/files/real-file.ts';
import { workspaceGone } from './workspace/freshness/freshness.ts';

/** The settings of a bridge that a client of another process may give. */
export type PooledSettings = Pick<
  BridgeSettings,
  'roots' | 'base' | 'additionalRoots' | 'configFile' | 'configValue' | 'single'
> &
  Required<Pick<BridgeSettings, 'environment'>>;

/** One client's use of a bridge. */
export interface PooledBridge {
  readonly config: Config;
  /** Real paths of the folders. */
  readonly roots: readonly string[];
  /** Runs work on the bridge, which is opened again if it was closed meanwhile. */
  use<T>(work: (bridge: Bridge) => Promise<T>): Promise<T>;
  /** Calls the listener when problems may have changed; resolves to a function that removes it. */
  follow(listener: OnProblems): Promise<() => void>;
  /** Forgets the cursors and plans of a caller who has gone. */
  readonly forget: (scope: string) => void;
}

/** A bridge as the status of the pool describes it. */
export interface PoolEntry {
  readonly roots: readonly string[];
  readonly calls: number;
  /** Milliseconds since the last call ended. */
  readonly unused: number;
  readonly bridge: Bridge | undefined;
}

type OnProblems = (path?: string) => void;

/** What the bridges of a pool have in common. */
type Common = Pick<BridgeSettings, 'log' | 'onCallRemoved'>;

/**
 * The bridges of one process, for many clients. Two clients share a bridge, and so its servers, only if the real folders,
 * the configuration in effect and the variables that servers get are equal.
 */
export class BridgePool {
  readonly #common: Common;
  readonly #open: typeof openBridge;
  /** One for the servers of all bridges. */
  readonly #budget = new MemoryBudget();
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  constructor(common: Common, open: typeof openBridge = openBridge) {
    this.#common = common;
    this.#open = open;
  }

  /** Reads the configuration for a client. Opens nothing yet. Throws for a faulty configuration. */
  bridgeFor(given: PooledSettings): PooledBridge {
    const settings = { ...given, roots: given.roots.map((root) => realFile(root)?.path ?? root) };
    const readConfig = () => effectiveConfig({ ...settings, log: this.#common.log }, loadConfig);
    const config = readConfig();
    let key = keyOf(settings, config);
    const wasThere = !isMissing(settings.roots);
    const hold = () => {
      if (!this.#entries.has(key)) {
        // Whether the bridge was closed before this call or notices during it makes no difference to the client.
        if (wasThere && isMissing(settings.roots)) throw workspaceGone();
        // A bridge that is opened reads the files of now.
        key = keyOf(settings, readConfig());
      }
      return this.#hold(key, settings);
    };
    return {
      config,
      roots: settings.roots,
      use: (work) => use(hold, work),
      follow: async (listener) => follow(hold(), listener),
      forget: (scope) => this.#entries.get(key)?.bridge?.forget?.(scope),
    };
  }

  /** The open bridges, the least recently used first. */
  get entries(): readonly PoolEntry[] {
    return [...this.#entries.values()].map(({ settings, calls, bridge, lastUsed }) => ({
      roots: settings.roots,
      calls,
      unused: calls > 0 ? 0 : performance.now() - lastUsed,
      bridge,
    }));
  }

  /** What all servers use, and may use. */
  get memory(): MemoryBudget['use'] {
    return this.#budget.use;
  }

  /** Closes all bridges, and opens none any more. */
  async close(options?: { readonly hurried?: boolean }): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.keys()].map((key) => this.#close(key, options)));
  }

  /** Keeps a bridge open until it is released. */
  #hold(key: string, settings: PooledSettings): Held {
    if (this.#isClosed) throw new LspanError('cancelled', 'lspan is stopping.');
    const entry = this.#entries.get(key) ?? this.#begin(key, settings);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.users += 1;
    clearTimeout(entry.idle);
    const release = () => {
      entry.users -= 1;
      entry.lastUsed = performance.now();
      // An answer does not wait for a look at the disk.
      if (entry.hasFailed) this.#rest(key, entry);
      else setImmediate(() => this.#rest(key, entry));
    };
    return { entry, release };
  }

  #begin(key: string, settings: PooledSettings): Entry {
    this.#makeRoom();
    const { log } = this.#common;
    log('info', 'bridge.open', { roots: settings.roots });
    const memoryBudget = this.#budget;
    const own = { memoryBudget, surface: 'lspan', onRootLost: () => this.#rest(key, entry) };
    const opening = this.#open({ ...settings, ...this.#common, ...own });
    const entry: Entry = {
      settings,
      opening,
      bridge: undefined,
      users: 0,
      calls: 0,
      lastUsed: performance.now(),
      idle: undefined,
      hasFailed: false,
    };
    opening.then(
      (bridge) => {
        entry.bridge = bridge;
      },
      () => {
        entry.hasFailed = true;
      },
    );
    return entry;
  }

  /** A bridge whose folder has gone, or that failed to open, is opened anew by the next call. */
  #rest(key: string, entry: Entry): void {
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    // Calls that end at once come here once each.
    clearTimeout(entry.idle);
    if (entry.hasFailed || isGone(entry.settings.roots)) this.#forget(key);
    else entry.idle = setTimeout(() => this.#forget(key), limits.daemon.idle).unref();
  }

  #makeRoom(): void {
    if (this.#entries.size < limits.daemon.bridges) return;
    const [key] = [...this.#entries].find(([, { users }]) => users === 0) ?? [];
    if (key === undefined)
      throw new LspanError('busy', `${limits.daemon.bridges} workspaces are in use.`, {
        nextStep: 'Call again when an earlier call has ended.',
      });
    this.#forget(key);
  }

  #forget(key: string): void {
    this.#close(key, { hurried: true }).catch((error: unknown) =>
      this.#common.log('warn', 'bridge.close_failed', { error }),
    );
  }

  async #close(key: string, options?: { readonly hurried?: boolean }): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    clearTimeout(entry.idle);
    this.#common.log('info', 'bridge.close', { roots: entry.settings.roots });
    const bridge = await entry.opening.catch(() => undefined);
    await bridge?.close(options);
  }
}

interface Entry {
  readonly settings: PooledSettings;
  readonly opening: Promise<Bridge>;
  bridge: Bridge | undefined;
  /** The calls in progress, and those who listen. */
  users: number;
  calls: number;
  lastUsed: number;
  idle: NodeJS.Timeout | undefined;
  hasFailed: boolean;
}

/** A bridge that is kept open until it is released. */
interface Held {
  readonly entry: Entry;
  readonly release: () => void;
}

async function use<T>(hold: () => Held, work: (bridge: Bridge) => Promise<T>): Promise<T> {
  const { entry, release } = hold();
  entry.calls += 1;
  try {
    return await work(entry.bridge ?? (await entry.opening));
  } finally {
    entry.calls -= 1;
    release();
  }
}

/** A bridge that somebody listens to stays open: it would not say that it no longer hears of changes. */
async function follow({ entry, release }: Held, listener: OnProblems): Promise<() => void> {
  const { resources } = await entry.opening.catch((thrown: unknown) => {
    release();
    throw thrown;
  });
  const unfollow = resources?.onProblems(listener);
  return () => {
    unfollow?.();
    release();
  };
}

function isMissing(roots: readonly string[]): boolean {
  return roots.some((root) => realFile(root) === undefined);
}

function isGone(roots: readonly string[]): boolean {
  return roots.some((root) => realFile(root)?.path !== root);
}

/** What each client decides for itself does not keep two from sharing a bridge. */
function keyOf({ roots, environment, ...settings }: PooledSettings, config: Config): string {
  const { output, toolsets, daemon, logLevel, logFormat, sources, ...shared } = config;
  const facts = [roots, settings.base, settings.additionalRoots, settings.single, shared];
  const variables = Object.entries(sharedVariables(environment)).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([...facts, variables]))
    .digest('hex');
}
