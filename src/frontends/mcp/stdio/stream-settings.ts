import type { BridgeSettings } from '../../../bridge-settings.ts';
import type { OutputMode } from '../output-mode.ts';

/** What decides how MCP is served on a stream of bytes. */
export interface StreamSettings {
  readonly bridge: Pick<BridgeSettings, 'log' | 'single'>;
  /** Folders as the user named them, or as found. */
  readonly roots: readonly string[];
  /** Whether the client's own roots are better than `roots`. */
  readonly rootsFromClient: boolean;
  readonly output?: OutputMode;
  /** Some server is not to wait for the first call. */
  readonly startsEarly?: boolean;
}

/** Whether the client may name the workspace. The one server of the `-s` form has started in it before a client could. */
export function asksClientForRoots({ roots, rootsFromClient, bridge }: StreamSettings): boolean {
  return !bridge.single && (roots.length === 0 || rootsFromClient);
}
