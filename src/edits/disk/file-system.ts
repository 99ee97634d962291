import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, open, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Entry } from './tree.ts';

/**
 * Every call that the engine makes to the file system. Names are changed synchronously, so that what was just checked
 * still holds; calls that wait for the disk are asynchronous. Errors carry the code of the system.
 */
export interface FileSystem {
  /** Returns the entry at a path, links not followed; `undefined` if there is none. */
  look(path: string): Facts | undefined;
  /** Returns the bytes of a regular file, links not followed; `undefined` if there are more than `most`. */
  read(path: string, most: number): Buffer | undefined;
  /** Returns a part of our own file; shorter if the file ends. */
  readPart(path: string, from: number, length: number): Buffer;
  readLink(path: string): string;
  /** Returns the sorted names in a folder. */
  list(folder: string): string[];
  /** True if this process may change a file, or the names in a folder. */
  mayWrite(path: string): boolean;
  /** Returns the free bytes on the disk of a path. */
  room(path: string): number;
  realPath(path: string): string;
  /** Opens a folder, so that the descriptor means the same folder even after a rename. */
  openFolder(folder: string): number;
  /** Returns the current path of an opened folder. Linux only. */
  placeOf(descriptor: number): string;
  close(descriptor: number): void;
  /** Makes a hard link to a file; fails if the name is taken. */
  link(path: string, second: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Like `unlink`, but does not block: freeing the blocks of a file may take milliseconds. */
  unlinkAsync(path: string): Promise<void>;
  makeLink(target: string, path: string): void;
  makeFolder(path: string, mode: number): void;
  removeFolder(path: string): void;
  /** Sets the mode, regardless of the umask. */
  setMode(path: string, mode: number): Promise<void>;
  /** Creates a new file that only its owner can open so far. */
  create(path: string): Promise<NewFile>;
  /** Waits until the names in a folder are on the disk. */
  syncFolder(folder: string): Promise<void>;
}

/** The state of an entry at a moment. */
export interface Facts extends Omit<Entry, 'writable'> {
  /** When its content was last changed, in nanoseconds. */
  readonly modified: bigint;
}

/** A file that is being written. */
export interface NewFile {
  /** Returns the owner that the system gave it. */
  owner(): Promise<{ readonly owner: number; readonly group: number }>;
  /** Writes all of it, or fails. */
  write(bytes: Buffer): Promise<void>;
  chown(owner: number, group: number): Promise<void>;
  chmod(mode: number): Promise<void>;
  /** Waits until the content is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the code of a system error; `undefined` for other errors. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'syscall' in thrown && 'code' in thrown ? String(thrown.code) : undefined;
}

/** True if a call failed because the file system has no hard links. */
export function lacksLinks(thrown: unknown): boolean {
  const isLink = thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'link';
  return isLink && linkless.has(codeOf(thrown) ?? '');
}

const linkless: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Returns the result of a call, or `undefined` if a path does not exist. */
export function ifThere<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
    return undefined;
  }
}

const sync = promisify(fsync);

// Windows has none of these flags: there they are undefined.
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const O_NONBLOCK = constants.O_NONBLOCK ?? 0;
const O_DIRECTORY = constants.O_DIRECTORY ?? 0;

/** The file system of this machine. */
export const realFileSystem: FileSystem = {
  look,
  read,
  readPart,
  readLink: (path) => readlinkSync(path),
  list: (folder) => readdirSync(folder).sort(),
  mayWrite,
  room(path) {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
  realPath: (path) => realpathSync.native(path),
  openFolder: (folder) => openSync(folder, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
  placeOf: (descriptor) => readlinkSync(`/proc/self/fd/${descriptor}`),
  close: (descriptor) => closeSync(descriptor),
  link: (path, second) => linkSync(path, second),
  rename: (from, to) => renameSync(from, to),
  unlink: (path) => unlinkSync(path),
  unlinkAsync: (path) => unlink(path),
  makeLink: (target, path) => symlinkSync(target, path),
  makeFolder: (path, mode) => void mkdirSync(path, { mode }),
  removeFolder: (path) => rmdirSync(path),
  setMode: (path, mode) => chmod(path, mode),
  create,
  async syncFolder(folder) {
    // Windows cannot sync a folder, and does not need to.
    if (process.platform === 'win32') return;
    const handle = await open(folder, constants.O_RDONLY | O_DIRECTORY);
    await handle.sync().finally(() => handle.close());
  },
};

function look(path: string): Facts | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  return {
    kind: stats.isFile()
      ? 'file'
      : stats.isSymbolicLink()
        ? 'link'
        : stats.isDirectory()
          ? 'folder'
          : 'other',
    mode: Number(stats.mode & 0o7777n),
    owner: Number(stats.uid),
    group: Number(stats.gid),
    device: Number(stats.dev),
    inode: Number(stats.ino),
    names: Number(stats.nlink),
    size: Number(stats.size),
    modified: stats.mtimeNs,
  };
}

function read(path: string, most: number): Buffer | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    // One more byte than expected, to see that it ends there.
    const bytes = readFully(descriptor, 0, Math.min(stats.size, most) + 1);
    return bytes.length > Math.min(stats.size, most) ? undefined : bytes;
  } finally {
    closeSync(descriptor);
  }
}

function readPart(path: string, from: number, length: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | O_NOFOLLOW);
  try {
    return readFully(descriptor, from, length);
  } finally {
    closeSync(descriptor);
  }
}

function readFully(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let got = -1; got !== 0 && done < length; done += got)
    got = readSync(descriptor, bytes, done, length - done, from + done);
  return bytes.subarray(0, done);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Only `sync` is left to another thread: for the other calls, handing over takes longer than the call itself. */
async function create(path: string): Promise<NewFile> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
  return {
    async owner() {
      const { uid, gid } = fstatSync(descriptor);
      return { owner: uid, group: gid };
    },
    write: async (bytes) => writeFileSync(descriptor, bytes),
    chown: async (owner, group) => fchownSync(descriptor, owner, group),
    chmod: async (mode) => fchmodSync(descriptor, mode),
    sync: () => sync(descriptor),
    close: async () => closeSync(descriptor),
  };
}
