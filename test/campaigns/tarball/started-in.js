import { readdirSync, readlinkSync } from 'node:fs';

/** The ids of the processes that work in a folder, as language servers do in their workspace. */
export function startedIn(folder) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && folderOf(name)?.startsWith(folder));
}

// A process may end while it is looked at, and others are nobody's to look at.
function folderOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
