import { homedir } from 'node:os';
import path from 'node:path';
import { isPathWithin } from '../platform/files/path-within.ts';
import { realFile } from '../platform/files/real-file.ts';
import type { Environment } from './user-file.ts';

/** Returns the folder of lspan's state for the user: XDG where set, else the platform's convention. */
export function stateFolder(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = environment;
  // The XDG specification: a path that is not absolute is invalid and must be ignored.
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'lspan');
  if (platform === 'win32' && local) return path.join(local, 'lspan');
  return path.join(home || homedir(), '.local', 'state', 'lspan');
}

/** Returns the real path of a folder, or the one that it would have if it were created. */
function realPathOf(folder: string): string {
  const real = realFile(folder)?.path;
  const above = path.dirname(folder);
  if (real !== undefined || above === folder) return real ?? folder;
  return path.join(realPathOf(above), path.basename(folder));
}

/** Returns the workspace root that contains a folder: the repository's content could forge the state there. */
export function rootAround(folder: string, roots: readonly string[]): string | undefined {
  const real = realPathOf(folder);
  return roots.find((root) => isPathWithin(realPathOf(root), real));
}
