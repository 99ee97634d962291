import { isPathWithin } from '../../platform/files/path-within.ts';
import { creationMask } from '../../platform/files/umask.ts';
import type { Entry, Tree } from '../disk/tree.ts';
import { encodedText, type FileText } from '../text/file-text.ts';

/** The tree as it would be if the texts that are held were saved, so that what is only tried can be planned on them. */
export function unsavedTree(disk: Tree, held: ReadonlyMap<string, FileText>): Tree {
  const places = [...held.keys()];
  const bytes = new Map([...held].map(([place, text]) => [place, encodedText(text)]));
  return {
    look(place) {
      const entry = disk.look(place);
      const size = bytes.get(place)?.length;
      if (size !== undefined && entry?.kind === 'file') return { ...entry, size };
      // What is not on the disk yet is told apart by a number that no disk gives.
      if (size !== undefined) return { ...unsaved('file'), size, inode: -1 - places.indexOf(place) };
      const isFolder = !entry && places.some((file) => isPathWithin(place, file));
      return isFolder ? unsaved('folder') : entry;
    },
    read: (place, most) => bytes.get(place) ?? disk.read(place, most),
    readLink: (place) => disk.readLink(place),
    list: (folder) => disk.list(folder),
  };
}

function unsaved(kind: Entry['kind']): Entry {
  const [owner, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const mode = (kind === 'folder' ? 0o777 : 0o666) & ~creationMask();
  return { kind, mode, owner, group, device: 0, inode: 0, names: 1, size: 0, writable: true };
}
