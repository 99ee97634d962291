import type { LogLevel } from '../../core/log.ts';
import { isRecord, list } from '../../core/runtime/json.ts';

/** What the near end says first, after the greeting. */
export interface BeginParams {
  /** The id of this connection. */
  readonly id: string;
  /** The ids of earlier connections whose processes may still run: they are ended before anything else is done. */
  readonly after: readonly string[];
  readonly logLevel: LogLevel;
  readonly flags: FarFlags;
}

/** Flags of the command line whose paths are those of the far end. */
export interface FarFlags {
  readonly workspace: readonly string[];
  readonly additionalRoot: readonly string[];
  readonly wideWorkspace: boolean;
  readonly config?: string | undefined;
}

/** True for what a near end of this build sends. */
export function isBegin(value: unknown): value is BeginParams {
  if (!isRecord(value) || !isRecord(value.flags)) return false;
  const { workspace, additionalRoot, wideWorkspace, config } = value.flags;
  return (
    isConnectionId(value.id) &&
    Array.isArray(value.after) &&
    value.after.every(isConnectionId) &&
    typeof value.logLevel === 'string' &&
    [workspace, additionalRoot].every((paths) => list(paths).every((one) => typeof one === 'string')) &&
    typeof wideWorkspace === 'boolean' &&
    (config === undefined || typeof config === 'string')
  );
}

/** An id is a part of the name of a file. */
function isConnectionId(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);
}
