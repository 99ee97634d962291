import type { Config } from './config/config.ts';
import type { GivenConfig } from './config/read-user-file.ts';
import type { GivenBackend } from './core/backend.ts';
import type { Engine } from './edits/edits.ts';
import type { ServerSettings } from './open-servers.ts';
import type { Neighbour } from './tools/run/tool.ts';
import type { Workspace } from './workspace/workspace.ts';

/** The settings that a frontend gives to a bridge. */
export interface BridgeSettings extends ServerSettings {
  /** Folders as given. If empty, there is no workspace, and every call says so. */
  readonly roots: readonly string[];
  readonly surface: string;
  /** The user's configuration file; by default the one in the usual place. */
  readonly configFile?: string;
  /** The content of a configuration file, to be used instead of any file. */
  readonly configValue?: GivenConfig;
  /** Settings of the command line, which override the configuration. */
  readonly overrides?: Partial<Config>;
  /** Called whenever a call has ended, with the number of those in progress. */
  readonly onCallRemoved?: (left: number) => void;
  /** The folder to which relative paths refer, given and shown. Default: the roots. */
  readonly base?: string;
  /** Returns the other workspaces that are open, for the status of servers. */
  readonly neighbours?: () => Promise<readonly Neighbour[]>;
  /** Notices for the user, which the status shows. */
  readonly notices?: readonly string[];
  /** Answers instead of language servers; closed with the bridge. */
  readonly backend?: GivenBackend;
  /** Bytes of an answer of the surface `gateway`, if fewer than the default. */
  readonly responseBytes?: number;
  /** Opens what answers instead of language servers, if it needs the workspace; closed with the bridge. */
  readonly openBackend?: (workspace: Workspace) => GivenBackend;
  /** Opens what writes instead of lspan itself, such as an editor that has the files open. */
  readonly openEngine?: (workspace: Workspace) => Engine;
}
