import path from 'node:path';
import { inParallel } from './durable-files.ts';
import type { PinnedDisk } from './pinned-disk.ts';

/** Waits until the creation or removal of names is on the disk; skips folders that no longer exist. */
export async function syncFoldersOf(
  names: Iterable<string>,
  { files, pins, tree }: PinnedDisk,
): Promise<void> {
  const folders = new Set([...names].map((name) => path.dirname(name)));
  await inParallel(folders, async (folder) => {
    if (tree.isThere(folder)) await files.syncFolder(pins.folder(folder));
  });
}
