import path from 'node:path';
import { creationMask } from '../../platform/files/umask.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import { encodedText } from '../text/file-text.ts';
import type { Draft } from './draft.ts';
import type { VirtualFile, VirtualFolder } from './virtual-tree.ts';

/** The tree as a draft would leave it, so that another change can be planned on that. */
export function draftTree(draft: Draft, disk: Tree): Tree {
  const { tree } = draft;
  const made = new Map<VirtualFile | VirtualFolder, number>();
  /** What is not on the disk yet is told apart by a number that no disk gives. */
  const inodeOf = (node: VirtualFile | VirtualFolder) => {
    const inode = made.get(node) ?? -1 - made.size;
    made.set(node, inode);
    return inode;
  };
  const fileEntry = (node: VirtualFile, place: string): Entry => {
    const folder = tree.look(path.dirname(place));
    const device = folder.kind === 'folder' ? folder.device : 0;
    const mode = 0o666 & ~creationMask();
    const entry = node.entry ?? { kind: 'file', mode, device, inode: inodeOf(node), size: 0, ...own };
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
      return node.entry ?? { kind: 'folder', mode, device, inode: inodeOf(node), size: 0, ...own };
    },
    read(place, most) {
      const node = tree.look(place);
      return node.kind === 'file' && node.now ? encodedText(node.now) : disk.read(originOf(place), most);
    },
    readLink: (place) => disk.readLink(originOf(place)),
    list: (folder) => tree.names(folder),
  };
}

/** What the draft makes will be ours. */
const own = { owner: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0, names: 1, writable: true };
