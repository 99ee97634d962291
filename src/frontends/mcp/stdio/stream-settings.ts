import type { Bridge } from '../../../bridge.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import type { OutputMode } from '../output-mode.ts';

/** The settings for MCP on a byte stream. */
export interface StreamSettings {
  readonly bridge: Pick<BridgeSettings, 'log' | 'single'>;
  /** Folders as the user named them, or as found. */
  readonly roots: readonly string[];
  /** True if the client's own roots are preferred to `roots`. */
  readonly rootsFromClient: boolean;
  readonly output?: OutputMode;
  /** True if some server should not wait for the first call. */
  readonly startsEarly?: boolean;
  /** True if a hook will call `after_edit`: the texts to compare with are read when the client has connected. */
  readonly afterEdit?: boolean;
}

/** True if the client may name the workspace. The server of the `-s` form starts before a client could. */
export function asksClientForRoots({ roots, rootsFromClient, bridge }: StreamSettings): boolean {
  return !bridge.single && (roots.length === 0 || rootsFromClient);
}

/** Lets a new conversation take what its edits are compared with, which its first call does. */
export async function beginConversation(bridge: Bridge): Promise<void> {
  await bridge.call('after_edit', {}, { surface: 'lspan' });
}
