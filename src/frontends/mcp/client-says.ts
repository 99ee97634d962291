import type { StdioSettings } from './serve-stdio.ts';

/** Whether the client may name the workspace. The one server of the `-s` form has started in it before a client could. */
export function isForClientToSay({ roots, rootsFromClient, bridge }: StdioSettings): boolean {
  return !bridge.single && (roots.length === 0 || rootsFromClient);
}
