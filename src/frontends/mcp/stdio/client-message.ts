import type { StreamSettings } from './stream-settings.ts';

/** Whether the client may name the workspace. The one server of the `-s` form has started in it before a client could. */
export function isClientMessage({ roots, rootsFromClient, bridge }: StreamSettings): boolean {
  return !bridge.single && (roots.length === 0 || rootsFromClient);
}
