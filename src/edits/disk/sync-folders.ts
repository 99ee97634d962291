import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { inParallel } from '../../core/runtime/in-parallel.ts';
import type { PinnedDisk } from './pinned-disk.ts';

/** Waits until the creation or removal of names is on the disk; skips folders that no longer exist. */
export async function syncFoldersOf(
  names: Iterable<string>,
  { files, pins, tree }: PinnedDisk,
): Promise<void> {
  const folders = new Set([...names].map((name) => path.dirname(name)));
  await inParallel(folders, limits.undo.atOnce, async (folder) => {
    if (tree.isThere(folder)) await files.syncFolder(pins.folder(folder));
  });
}
