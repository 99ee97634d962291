// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { Doubt } from '../../core/doubts.ts';
import type { ChangedServer, Told } from './shapes.ts';

/** Arguments of `get_server_status`. The language servers: state, last errors, how to install missing ones. */
export interface GetServerStatusArgs {
  /** id or language. */
  readonly server?: string | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `get_server_status` returns. */
export interface GetServerStatusData extends Told {
  readonly lspan_version: string;
  readonly workspace: readonly string[];
  readonly notices: readonly string[];
  readonly servers: ReadonlyArray<{
    readonly id: string;
    readonly root: string;
    readonly languages: readonly string[];
    readonly state: 'not_started' | 'starting' | 'indexing' | 'ready' | 'running' | 'stopped' | 'crashed' | 'not_installed' | 'not_trusted';
    readonly doing?: string;
    readonly indexing_seconds?: number;
    readonly standby_for?: string;
    readonly pid?: number;
    readonly confined?: true;
    readonly version?: string;
    readonly answers?: readonly string[];
    readonly command?: string;
    readonly origin?: string;
    readonly uptime_seconds?: number;
    readonly memory_mb?: number;
    readonly restarts: number;
    readonly open_documents: number;
    readonly last_exit?: {
      readonly how: string;
      readonly seconds_ago: number;
      readonly lived_seconds: number;
    };
    readonly left_alone_seconds?: number;
    readonly daemons_ended: readonly string[];
    readonly doubts: readonly Doubt[];
    readonly last_errors: readonly string[];
    readonly last_stderr: readonly string[];
    readonly writes: readonly string[];
    readonly install?: string;
  }>;
  readonly also_known: readonly string[];
}

/**
 * Arguments of `restart_server`. Restarts language servers that run or have crashed. Questions in progress
 * end with an error.
 */
export interface RestartServerArgs {
  /** Id; default all. */
  readonly server?: string | undefined;
  readonly language?: string | undefined;
  /** Of files: `ts`. */
  readonly extensions?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `restart_server` returns. */
export interface RestartServerData extends Told {
  readonly servers: readonly ChangedServer[];
}

/**
 * Arguments of `stop_server`. Stops language servers to free memory; the next question that needs one starts
 * it again. Questions in progress end with an error.
 */
export interface StopServerArgs {
  /** Id; default all. */
  readonly server?: string | undefined;
  readonly language?: string | undefined;
  /** Of files: `ts`. */
  readonly extensions?: readonly string[] | undefined;
  readonly max_tokens?: number | undefined;
}

/** Data that `stop_server` returns. */
export interface StopServerData extends Told {
  readonly servers: readonly ChangedServer[];
}
