import type { Config } from './config/config.ts';
import type { GivenConfig } from './config/read-user-file.ts';
import type { GivenBackend } from './core/backend.ts';
import type { ServerSettings } from './open-servers.ts';

/** What a frontend decides before anything starts. */
export interface BridgeSettings extends ServerSettings {
  /** Folders as given; none means that no workspace is known, and every call says so. */
  readonly roots: readonly string[];
  /** Read-only folders beside them, whose files may be named and told; each must exist. */
  readonly additionalRoots?: readonly string[];
  readonly surface: string;
  /** The user's configuration file, instead of the one in the usual place. */
  readonly configFile?: string;
  /** What such a file would say, instead of any. */
  readonly configValue?: GivenConfig;
  /** What the command line sets over the configuration. */
  readonly overrides?: Partial<Config>;
  /** Answers instead of language servers, and is closed with the bridge. */
  readonly backend?: GivenBackend;
}
