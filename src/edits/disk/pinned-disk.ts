import type { FileSystem } from './file-system.ts';
import type { PinnedFolders } from './pinned-folders.ts';
import { type PinnedTree, pinnedTree } from './pinned-tree.ts';

/** What one edit is worked on with. */
export interface PinnedDisk {
  readonly files: FileSystem;
  readonly pins: PinnedFolders;
  readonly tree: PinnedTree;
}

/** A bench over pinned folders, which whoever pinned them lets go. */
export function pinDisk(files: FileSystem, pins: PinnedFolders): PinnedDisk {
  return { files, pins, tree: pinnedTree(files, pins) };
}
