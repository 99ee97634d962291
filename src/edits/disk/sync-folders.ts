import path from 'node:path';
import { inParallel } from './durable-files.ts';
import type { PinnedDisk } from './pinned-disk.ts';

/** Waits until names are on the disk, or that they are gone is. A folder that is no longer there has nothing to wait for. */
export async function syncFoldersOf(
  names: Iterable<string>,
  { files, pins, tree }: PinnedDisk,
): Promise<void> {
  const folders = new Set([...names].map((name) => path.dirname(name)));
  await inParallel(folders, async (folder) => {
    if (tree.isThere(folder)) await files.syncFolder(pins.folder(folder));
  });
}
