import type { FileSystem } from './file-system.ts';
import type { PinnedFolders } from './pinned-folders.ts';
import { type PinnedTree, pinnedTree } from './pinned-tree.ts';

/** The disk as one edit uses it. */
export interface PinnedDisk {
  readonly files: FileSystem;
  readonly pins: PinnedFolders;
  readonly tree: PinnedTree;
}

/** Returns a view of the disk through pinned folders; the caller closes those. */
export function pinDisk(files: FileSystem, pins: PinnedFolders): PinnedDisk {
  return { files, pins, tree: pinnedTree(files, pins) };
}
