import type { Config } from './config/config.ts';
import type { Log } from './core/log.ts';
import type { Outcome } from './tools/run-tool.ts';

/** One message on the wire between us and a language server. */
export interface TraceEntry {
  readonly server: string;
  readonly direction: 'to_server' | 'from_server';
  readonly message: unknown;
}

/** What a frontend decides before anything starts. */
export interface BridgeSettings {
  /** Folders as given; none means that no workspace is known, and every call says so. */
  readonly roots: readonly string[];
  readonly surface: string;
  /** The user's configuration file, instead of the one in the usual place. */
  readonly configFile?: string;
  /** What the command line sets over the configuration. */
  readonly overrides?: Partial<Config>;
  /** The one server of the `-s` form; no other is used, and it starts at once. */
  readonly single?: { readonly extensions: readonly string[]; readonly command: readonly string[] };
  readonly log: Log;
  readonly trace?: (entry: TraceEntry) => void;
}

/** Everything behind the frontends. */
export interface Bridge {
  readonly config: Config;
  /** Never rejects: an error is an outcome with `isError`. */
  call(
    tool: string,
    args: unknown,
    options?: { readonly signal?: AbortSignal; readonly report?: (message: string) => void },
  ): Promise<Outcome>;
  close(options?: { readonly hurried?: boolean }): Promise<void>;
}

/** The composition root: makes the world from the settings. Starts no server unless the settings ask for it. */
export async function openBridge(settings: BridgeSettings): Promise<Bridge> {
  throw new Error(`not yet: ${settings.surface}`);
}
