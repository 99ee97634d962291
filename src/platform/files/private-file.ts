import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { ownershipFault } from './file-owner.ts';

/** Creates a new file for its owner alone, regardless of the umask; returns its descriptor. */
export function createPrivateFile(file: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}

/** Writes the content of a new file, and closes it; it need not be on the disk at once. */
export function writeAndClose(descriptor: number, content: Uint8Array): void {
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/** Like `createPrivateFile`, but writes a text and waits until it is on the disk. */
export function writePrivateFile(file: string, text: string): void {
  const descriptor = createPrivateFile(file);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Waits until the names in a folder are on the disk, which Windows does not offer. */
export function syncNames(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a file that only this user can have written. Throws if it is missing, a link, or another user's. */
export function readPrivateFile(file: string): string {
  return readPrivateBytes(file).toString('utf8');
}

/** Like `readPrivateFile`, but returns bytes, and throws if there are more than `largest`. */
export function readPrivateBytes(file: string, largest = Number.POSITIVE_INFINITY): Buffer {
  // A pipe in its place would never open.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    const fault = stats.isFile() ? ownershipFault(stats, 0o077) : 'it is no file.';
    if (fault !== undefined) throw new LspanError('refused', `The file ${file} is not private: ${fault}`);
    if (stats.size > largest) throw new LspanError('limit_exceeded', `The file ${file} is too large.`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Notes on a file of lspan's own that its owner still lives; does nothing if it is gone. */
export function touchPrivateFile(file: string): void {
  const now = new Date();
  resultOrError(() => utimesSync(file, now, now));
}

/** Returns the milliseconds since a file of lspan's own was touched; `undefined` if it is gone. */
export function untouchedTime(file: string): number | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && Date.now() - stats.mtimeMs;
}

/** Removes a file of lspan's own, if it is there. */
export function removePrivateFile(file: string): void {
  rmSync(file, { force: true });
}

/** Gives a file of lspan's own its name; another one of that name is replaced. */
export function renamePrivateFile(file: string, to: string): void {
  renameSync(file, to);
}

/** Takes a file of lspan's own away, so that of several processes one has done it; true if this one has. */
export function takeAway(file: string): boolean {
  const taken = `${file}.${process.pid}`;
  const moved = resultOrError(() => renameSync(file, taken));
  rmSync(taken, { force: true });
  return !(moved instanceof LspanError);
}
