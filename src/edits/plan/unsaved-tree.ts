import { isPathWithin } from '../../platform/files/path-within.ts';
import { creationMask } from '../../platform/files/umask.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import { encodedText, type FileText } from '../text/file-text.ts';

/** Returns the tree as if the unsaved texts were saved, so that a trial change can be planned on them. */
export function unsavedTree(disk: Tree, texts: ReadonlyMap<string, FileText>): Tree {
  const places = [...texts.keys()];
  const bytes = new Map([...texts].map(([place, text]) => [place, encodedText(text)]));
  return {
    look(place) {
      const entry = disk.look(place);
      const size = bytes.get(place)?.length;
      if (size !== undefined && entry?.kind === 'file') return { ...entry, size };
      // An entry that is not on the disk yet is identified by a number that no disk uses.
      if (size !== undefined) return { ...newEntry('file'), size, inode: -1 - places.indexOf(place) };
      const isFolder = !entry && places.some((file) => isPathWithin(place, file));
      return isFolder ? newEntry('folder') : entry;
    },
    read: (place, most) => bytes.get(place) ?? disk.read(place, most),
    readLink: (place) => disk.readLink(place),
    list: (folder) => disk.list(folder),
  };
}

function newEntry(kind: Entry['kind']): Entry {
  const [owner, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const mode = (kind === 'folder' ? 0o777 : 0o666) & ~creationMask();
  return { kind, mode, owner, group, device: 0, inode: 0, names: 1, size: 0, writable: true };
}
