import type { CallOptions } from '../../bridge.ts';
import type { PooledSettings } from '../../bridge-pool.ts';
import { isRecord, list } from '../../core/runtime/json.ts';

/** What a client says of itself when it attaches. */
export interface AttachParams {
  readonly settings: PooledSettings;
  /**
   * What the folders of the workspace are as the client sees them, in order. In a container, a daemon outside may see others
   * at the same paths. Absent for a client on another machine.
   */
  readonly folders?: readonly string[] | undefined;
  readonly client: ClientInfo;
  /** True if the client may not write. */
  readonly readOnly: boolean;
}

/** A client, as the status shows it. */
export interface ClientInfo {
  readonly pid: number;
  /** `mcp`, `call`, … */
  readonly command: string;
}

/** One call of a tool. */
export interface CallParams extends Pick<CallOptions, 'shown' | 'surface'> {
  /** Chosen by the client, which asks by it what became of the call if the daemon dies. */
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

/** True for what a client of this build sends. */
export function isAttach(value: unknown): value is AttachParams {
  if (!isRecord(value) || !isRecord(value.settings) || !isRecord(value.client)) return false;
  const { settings, client, readOnly, folders } = value;
  return (
    (folders === undefined || Array.isArray(folders)) &&
    typeof readOnly === 'boolean' &&
    typeof client.pid === 'number' &&
    typeof client.command === 'string' &&
    isRecord(settings.environment) &&
    Array.isArray(settings.roots) &&
    list(settings.roots).every((root) => typeof root === 'string')
  );
}

/** True for what a client of this build sends. */
export function isCall(value: unknown): value is CallParams {
  return isRecord(value) && typeof value.id === 'string' && typeof value.tool === 'string';
}

/** The daemon, as `lspan status` shows it. */
export interface DaemonStatus {
  readonly pid: number;
  readonly version: string;
  readonly executable: string;
  readonly uptimeSeconds: number;
  readonly memoryBytes: number;
  readonly isLeaving: boolean;
  /** The memory of all servers, and the most that they may use. */
  readonly servers: { readonly count: number; readonly usedBytes: number; readonly mostBytes: number };
  readonly clients: readonly (ClientInfo & {
    readonly roots: readonly string[];
    readonly readOnly: boolean;
    readonly calls: number;
  })[];
  readonly workspaces: readonly WorkspaceStatus[];
  readonly lastCalls: readonly LastCall[];
}

/** A workspace that is open. */
export interface WorkspaceStatus {
  readonly roots: readonly string[];
  readonly calls: number;
  readonly unusedSeconds: number;
  readonly servers: readonly {
    readonly id: string;
    readonly root: string;
    readonly state: string;
    readonly pid?: number | undefined;
    readonly memoryBytes?: number | undefined;
    readonly uptimeSeconds?: number | undefined;
    readonly doubts: readonly string[];
  }[];
}

/** A call that was answered. */
export interface LastCall {
  readonly at: string;
  readonly tool: string;
  readonly roots: readonly string[];
  readonly client: ClientInfo;
  readonly ms: number;
  /** The kinds of its doubts. */
  readonly doubts: readonly string[];
  readonly error?: string | undefined;
}
