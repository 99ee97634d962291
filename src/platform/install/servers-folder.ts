import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { realFile } from '../files/real-file.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the folder for language servers that `lspan install` installs: XDG where set, else the platform's convention. */
export function serversFolder(
  { XDG_DATA_HOME: xdg, LOCALAPPDATA: local, HOME: home }: Variables,
  platform: NodeJS.Platform = process.platform,
): string {
  // The XDG specification: a path that is not absolute is invalid and must be ignored.
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'lspan', 'servers');
  if (platform === 'win32' && local) return path.join(local, 'lspan', 'servers');
  return path.join(home || homedir(), '.local', 'share', 'lspan', 'servers');
}

/** Returns the real folders of what is installed there, newest name first; one that is not finished begins with a dot. */
export function installedFolders(variables: Variables): readonly string[] {
  const folder = realFile(serversFolder(variables));
  if (!folder?.stats.isDirectory() || folder.worldWritable) return [];
  const names = readdirSync(folder.path).filter((name) => !name.startsWith('.'));
  return names
    .sort()
    .reverse()
    .map((name) => path.join(folder.path, name));
}
