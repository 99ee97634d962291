import { homedir } from 'node:os';
import path from 'node:path';
import { isPathWithin } from '../platform/files/path-within.ts';
import { realFile } from '../platform/files/real-file.ts';
import type { Environment } from './user-file.ts';

/** The folder of what lspan remembers for the user: XDG wherever it is set, else what the platform is used to. */
export function stateFolder(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local, HOME: home } = environment;
  // The XDG specification: a path that is not absolute is invalid and must be ignored.
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'lspan');
  if (platform === 'win32' && local) return path.join(local, 'lspan');
  return path.join(home || homedir(), '.local', 'state', 'lspan');
}

/** Where a folder is or would be made, links on the way there followed. */
function placeOf(folder: string): string {
  const real = realFile(folder)?.path;
  const above = path.dirname(folder);
  if (real !== undefined || above === folder) return real ?? folder;
  return path.join(placeOf(above), path.basename(folder));
}

/** The root of a workspace in which a folder lies, and whose content could therefore forge what is in it. */
export function rootAround(folder: string, roots: readonly string[]): string | undefined {
  const place = placeOf(folder);
  return roots.find((root) => isPathWithin(placeOf(root), place));
}
