import { createHash } from 'node:crypto';
import { LspanError } from '../../core/errors.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { type Facts, type FileSystem, ifThere } from './file-system.ts';
import type { PinnedFolders } from './pinned-folders.ts';
import type { Tree } from './tree.ts';

/** The tree on the disk, read through folders that cannot be swapped for links. */
export interface PinnedTree extends Tree {
  /** Like `look`, but without `writable`. */
  facts(path: string): Facts | undefined;
  /** True if a folder exists. */
  isThere(folder: string): boolean;
  /** Returns the hash of a file of this size; `undefined` if it is larger by now. */
  hash(path: string, size: number): string | undefined;
}

/** Returns the tree that is read through pinned folders. */
export function pinnedTree(files: FileSystem, pins: PinnedFolders): PinnedTree {
  const facts = (path: string): Facts | undefined => {
    const place = ifThere(() => pins.entry(path));
    return place === undefined ? undefined : files.look(place);
  };
  return {
    facts,
    isThere: (folder) => ifThere(() => pins.folder(folder)) !== undefined,
    hash(path, size) {
      const bytes = files.read(pins.entry(path), size);
      return bytes && createHash('sha256').update(bytes).digest('hex');
    },
    look(path) {
      const found = facts(path);
      // Changing a link only needs its folder, and asking about a link would ask about its target.
      return found && { ...found, writable: found.kind === 'link' || files.mayWrite(pins.entry(path)) };
    },
    read(path, most) {
      const bytes = files.read(pins.entry(path), most);
      if (bytes) return bytes;
      throw new LspanError('limit_exceeded', `${quotePath(path)} has more than ${most} bytes.`, {
        nextStep: 'Change this file another way.',
      });
    },
    readLink: (path) => files.readLink(pins.entry(path)),
    list: (folder) => files.list(pins.folder(folder)),
  };
}
