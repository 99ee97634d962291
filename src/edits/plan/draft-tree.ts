import path from 'node:path';
import { creationMask } from '../../platform/files/umask.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import { encodedText } from '../text/file-text.ts';
import type { Draft } from './draft.ts';
import type { VirtualFile, VirtualFolder } from './virtual-tree.ts';

/** Returns the tree as a draft would leave it, so that another change can be planned on it. */
export function draftTree(draft: Draft, disk: Tree): Tree {
  const { tree } = draft;
  const inodes = new Map<VirtualFile | VirtualFolder, number>();
  /** Identifies an entry that is not on the disk yet by a number that no disk uses. */
  const inodeOf = (node: VirtualFile | VirtualFolder) => {
    const inode = inodes.get(node) ?? -1 - inodes.size;
    inodes.set(node, inode);
    return inode;
  };
  const fileEntry = (node: VirtualFile, place: string): Entry => {
    const folder = tree.look(path.dirname(place));
    const device = folder.kind === 'folder' ? folder.device : 0;
    const mode = 0o666 & ~creationMask();
    const entry = node.entry ?? { kind: 'file', mode, device, inode: inodeOf(node), size: 0, ...newEntry };
    return node.now ? { ...entry, size: encodedText(node.now).length } : entry;
  };
  const originOf = (place: string): string => {
    const node = tree.look(place);
    return 'origin' in node ? (node.origin ?? place) : place;
  };
  return {
    look(place) {
      const node = tree.look(place);
      if (node.kind === 'gone') return undefined;
      if (node.kind === 'other') return disk.look(node.origin);
      if (node.kind === 'file') return fileEntry(node, place);
      if (node.kind === 'link') return node.entry;
      const { mode, device } = node;
      return node.entry ?? { kind: 'folder', mode, device, inode: inodeOf(node), size: 0, ...newEntry };
    },
    read(place, most) {
      const node = tree.look(place);
      return node.kind === 'file' && node.now ? encodedText(node.now) : disk.read(originOf(place), most);
    },
    readLink: (place) => disk.readLink(originOf(place)),
    list: (folder) => tree.names(folder),
  };
}

/** New entries will belong to this process. */
const newEntry = { owner: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0, names: 1, writable: true };
