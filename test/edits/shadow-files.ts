import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Facts, FileSystem, NewFile } from '../../src/edits/disk/file-system.ts';
import type { Happening, NameChange, ShadowDisk, Thing } from './shadow-disk.ts';

/** A file system over a disk in memory, which writes down everything that happens to that disk. */
export interface ShadowFiles {
  readonly files: FileSystem;
  readonly disk: ShadowDisk;
  readonly happened: readonly Happening[];
}

/** Opens a disk, as a system that has just started does. The call that would be a certain change may fail. */
export function shadowFiles(
  disk: ShadowDisk,
  { failing = 0, hasLinks = true }: { failing?: number; hasLinks?: boolean } = {},
): ShadowFiles {
  const happened: Happening[] = [];
  const opened = new Map<number, number>();
  const changed = new Map<number, bigint>();
  // Numbers of things that are gone are not used again, or a number would prove nothing.
  let lastInode = Math.max(...disk.things.keys());
  const start = BigInt(Date.now()) * 1_000_000n;
  let clock = start;
  let asked = 0;

  const happen = (happening: Happening, call: string): void => {
    if (++asked === failing) throw failure('EIO', call);
    happened.push(happening);
    disk.take(happening);
    if (happening.kind === 'bytes') changed.set(happening.inode, ++clock);
    if (happening.kind === 'names') for (const { folder } of happening.changes) changed.set(folder, ++clock);
  };

  const inodeAt = (place: string): number | undefined => {
    const [, descriptor, rest = ''] = /^\/proc\/self\/fd\/(\d+)(.*)$/.exec(place) ?? [];
    if (descriptor === undefined) return disk.find(path.normalize(place));
    let inode = opened.get(Number(descriptor));
    for (const name of rest.split('/').filter((one) => one !== '' && one !== '.')) {
      const thing: Thing | undefined = inode === undefined ? undefined : disk.thing(inode);
      inode = thing?.kind === 'folder' ? thing.names.get(name) : undefined;
    }
    return inode;
  };
  const at = (place: string, call: string): number => inodeAt(place) ?? refuse('ENOENT', call);
  const folderAt = (place: string, call: string): number => {
    const inode = at(place, call);
    return disk.thing(inode).kind === 'folder' ? inode : refuse('ENOTDIR', call);
  };
  const placeIn = (place: string, call: string) => ({
    folder: folderAt(path.dirname(place), call),
    name: path.basename(place),
  });
  const free = (place: string, call: string) => {
    if (inodeAt(place) !== undefined) refuse('EEXIST', call);
    return placeIn(place, call);
  };
  const bytesAt = (place: string, call: string): Buffer => {
    const thing = disk.thing(at(place, call));
    return thing.kind === 'file' ? thing.bytes : refuse(thing.kind === 'link' ? 'ELOOP' : 'EISDIR', call);
  };
  const make = (place: string, thing: () => Thing, call: string): number => {
    const { folder, name } = free(place, call);
    const inode = ++lastInode;
    happen({ kind: 'made', inode, thing }, call);
    happen({ kind: 'names', changes: [{ folder, name, inode }] }, call);
    return inode;
  };
  /** What happens while it is waited for a sync need not be on the disk afterwards. */
  const sync = async (inode: number, call: string): Promise<void> => {
    const before = happened.length;
    await setImmediate();
    happen({ kind: 'synced', inode, before }, call);
  };

  const unlink = (place: string): void => {
    if (disk.thing(at(place, 'unlink')).kind === 'folder') refuse('EISDIR', 'unlink');
    happen({ kind: 'names', changes: [{ ...placeIn(place, 'unlink'), inode: undefined }] }, 'unlink');
  };

  const rename = (from: string, to: string): void => {
    const [moved, replaced] = [at(from, 'rename'), inodeAt(to)];
    const [source, target] = [placeIn(from, 'rename'), placeIn(to, 'rename')];
    // As POSIX has it for two names of one file.
    if (moved === replaced) return;
    if (replaced !== undefined) refuseReplacement(disk.thing(moved), disk.thing(replaced));
    const changes: NameChange[] = [
      { ...source, inode: undefined },
      { ...target, inode: moved },
    ];
    happen({ kind: 'names', changes }, 'rename');
  };

  const create = async (place: string): Promise<NewFile> => {
    const inode = make(place, () => ({ kind: 'file', bytes: Buffer.alloc(0), mode: 0o600 }), 'open');
    await setImmediate();
    return {
      owner: async () => ({ owner: owner.owner, group: owner.group }),
      write: async (bytes) => happen({ kind: 'bytes', inode, bytes }, 'write'),
      chown: async () => {},
      chmod: async (mode) => happen({ kind: 'mode', inode, mode }, 'fchmod'),
      sync: () => sync(inode, 'fsync'),
      close: async () => {},
    };
  };

  const look = (place: string): Facts | undefined => {
    const inode = inodeAt(place);
    const thing = inode === undefined ? undefined : disk.thing(inode);
    if (inode === undefined || !thing) return undefined;
    return {
      kind: thing.kind,
      mode: thing.kind === 'link' ? 0o777 : thing.mode,
      ...owner,
      device: 1,
      inode,
      get names() {
        return disk.count(inode);
      },
      size: thing.kind === 'file' ? thing.bytes.length : 0,
      modified: changed.get(inode) ?? start,
    };
  };

  const files: FileSystem = {
    look,
    read(place, most) {
      const bytes = bytesAt(place, 'open');
      return bytes.length > most ? undefined : bytes;
    },
    readPart: (place, from, length) => bytesAt(place, 'open').subarray(from, from + length),
    readLink(place) {
      const thing = disk.thing(at(place, 'readlink'));
      return thing.kind === 'link' ? thing.target : refuse('EINVAL', 'readlink');
    },
    list: (folder) => [...disk.names(folderAt(folder, 'scandir')).keys()].sort(),
    mayWrite: () => true,
    room: () => 2 ** 40,
    realPath: (place) => disk.pathOf(at(place, 'realpath')) ?? refuse('ENOENT', 'realpath'),
    openFolder(folder) {
      const descriptor = opened.size;
      opened.set(descriptor, folderAt(folder, 'open'));
      return descriptor;
    },
    placeOf: (descriptor) => disk.pathOf(opened.get(descriptor) ?? disk.root) ?? '(deleted)',
    close: () => {},
    link(place, second) {
      if (!hasLinks && second.startsWith('/proc/self/fd/')) refuse('EPERM', 'link');
      const inode = at(place, 'link');
      happen({ kind: 'names', changes: [{ ...free(second, 'link'), inode }] }, 'link');
    },
    rename,
    unlink,
    unlinkAsync: async (place) => unlink(place),
    makeLink: (target, place) => void make(place, () => ({ kind: 'link', target }), 'symlink'),
    makeFolder: (place, mode) =>
      void make(place, () => ({ kind: 'folder', names: new Map(), mode }), 'mkdir'),
    removeFolder(place) {
      if (disk.names(folderAt(place, 'rmdir')).size > 0) refuse('ENOTEMPTY', 'rmdir');
      happen({ kind: 'names', changes: [{ ...placeIn(place, 'rmdir'), inode: undefined }] }, 'rmdir');
    },
    setMode: async (place, mode) => happen({ kind: 'mode', inode: at(place, 'chmod'), mode }, 'chmod'),
    create,
    syncFolder: async (folder) => sync(folderAt(folder, 'open'), 'fsync'),
  };
  return { files, disk, happened };
}

const owner = { owner: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 };

function refuseReplacement(moved: Thing, replaced: Thing): void {
  if (replaced.kind !== 'folder') {
    if (moved.kind === 'folder') refuse('ENOTDIR', 'rename');
    return;
  }
  if (moved.kind !== 'folder') refuse('EISDIR', 'rename');
  if (replaced.names.size > 0) refuse('ENOTEMPTY', 'rename');
}

function refuse(code: string, syscall: string): never {
  throw failure(code, syscall);
}

function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: made up, ${syscall}`), { code, syscall });
}
