import { homedir } from 'node:os';
import path from 'node:path';

/** Returns the folder of what lspan keeps for servers and can make again: XDG where set, else the usual place. */
export function cacheFolder({
  XDG_CACHE_HOME: xdg,
  HOME: home,
}: Readonly<Record<string, string | undefined>>): string {
  // The XDG specification: a path that is not absolute is invalid and must be ignored.
  const base = xdg && path.isAbsolute(xdg) ? xdg : path.join(home || homedir(), '.cache');
  return path.join(base, 'lspan');
}
