import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { syncNames } from '../../platform/files/private-file.ts';

/** A file of a client as it was read. */
export interface ClientFile {
  /** The path by which the client knows it. */
  readonly file: string;
  /** The file itself: another one if the path is a link. */
  readonly real: string;
  readonly isLink: boolean;
  /** The bytes; `undefined` if there is no file. */
  readonly bytes: Buffer | undefined;
  /** The byte order mark that the text begins with, which may be empty. */
  readonly mark: string;
  /** The text after the mark; empty if there is no file. */
  readonly text: string;
}

/** Reads a file of a client, if it exists. Throws `refused` if it could not be written, or lies outside of a folder. */
export function readClientFile(file: string, within?: string): ClientFile {
  const real = realPlace(file);
  if (within !== undefined && !isPathWithin(realpathSync(within), real))
    throw refusedFile(file, `leads out of the project, to ${real}`);
  const bytes = readBytes(file, real);
  const decoded = bytes && resultOrError(() => new TextDecoder('utf-8', decoding).decode(bytes));
  if (decoded instanceof LspanError) throw refusedFile(file, 'is not UTF-8 text');
  const mark = decoded?.startsWith('\ufeff') ? '\ufeff' : '';
  return { file, real, isLink: isLink(file), bytes, mark, text: decoded?.slice(mark.length) ?? '' };
}

const decoding = { fatal: true, ignoreBOM: true };

/** Replaces the text of a file, all or nothing, unless it has changed since it was read; returns the folders it made. */
export function writeClientFile(read: ClientFile, text: string): readonly string[] {
  const folder = path.dirname(read.real);
  const made = makeFolders(folder);
  const draft = path.join(folder, `.${path.basename(read.real)}.${randomUUID()}.lspan`);
  try {
    writeDraft(draft, read, `${read.mark}${text}`);
    checkUnchanged(read);
    if (read.bytes === undefined) createFrom(draft, read.real);
    else renameSync(draft, read.real);
    syncNames(folder);
  } catch (thrown) {
    for (const one of made.toReversed()) resultOrError(() => rmdirSync(one));
    throw reasonOf(thrown, read.file);
  } finally {
    rmSync(draft, { force: true });
  }
  return made;
}

/** Removes a file that lspan has made, unless it has changed since it was read, and folders of its own that are empty. */
export function removeClientFile(read: ClientFile, folders: readonly string[]): void {
  checkUnchanged(read);
  const removed = resultOrError(() => unlinkSync(read.real));
  if (removed instanceof LspanError) throw reasonOf(removed.cause, read.file);
  for (const folder of folders.toReversed()) resultOrError(() => rmdirSync(folder));
}

/** Returns where the bytes of a file are, or would be. */
function realPlace(file: string): string {
  const above = path.dirname(file);
  const there = resultOrError(() => lstatSync(file, { throwIfNoEntry: false }));
  if (there instanceof LspanError) throw reasonOf(there.cause, file);
  if (there === undefined) return above === file ? file : path.join(realPlace(above), path.basename(file));
  const real = resultOrError(() => realpathSync(file));
  if (!(real instanceof LspanError)) return real;
  throw there.isSymbolicLink()
    ? refusedFile(file, 'is a link to something that does not exist')
    : reasonOf(real.cause, file);
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function readBytes(file: string, real: string): Buffer | undefined {
  const stats = resultOrError(() => statSync(real, { throwIfNoEntry: false }));
  if (stats instanceof LspanError) throw reasonOf(stats.cause, file);
  if (stats === undefined) return undefined;
  const fault = faultOf(stats);
  if (fault !== undefined) throw refusedFile(file, fault);
  const bytes = resultOrError(() => {
    accessSync(real, constants.R_OK | constants.W_OK);
    return readFileSync(real);
  });
  if (bytes instanceof LspanError) throw reasonOf(bytes.cause, file);
  return bytes;
}

function faultOf(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'is a folder';
  if (!stats.isFile()) return 'is not a regular file';
  // A new file would take only one of the names.
  if (stats.nlink > 1) return 'has a second name (a hard link), which would keep the old text';
  const most = limits.setup.file;
  return stats.size > most ? `is larger than ${most / 1024 / 1024} MiB` : undefined;
}

/** One by one: where a file system makes no folders, Node's recursive form never ends. */
function makeFolders(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(path.dirname(folder));
  const made = resultOrError(() => mkdirSync(folder));
  if (made instanceof LspanError) throw reasonOf(made.cause, folder);
  return [...above, folder];
}

/** Mode and owner are those of the file that it replaces. */
function writeDraft(draft: string, { real, bytes, file }: ClientFile, text: string): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const before = bytes === undefined ? undefined : statSync(real);
  const descriptor = openSync(draft, O_WRONLY | O_CREAT | O_EXCL, before === undefined ? 0o644 : 0o600);
  try {
    writeFileSync(descriptor, text);
    if (before !== undefined) keepOwner(descriptor, before, file);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, { uid, gid, mode }: Stats, file: string): void {
  if (process.platform === 'win32') return;
  const now = fstatSync(descriptor);
  const isOther = now.uid !== uid || now.gid !== gid;
  const kept = isOther ? resultOrError(() => fchownSync(descriptor, uid, gid)) : undefined;
  if (kept instanceof LspanError)
    throw refusedFile(file, 'belongs to another user or group, which would be lost');
  fchmodSync(descriptor, mode & 0o7777);
}

/** Another program may have written the file while the user was reading the change. */
function checkUnchanged({ file, real, bytes }: ClientFile): void {
  const now = existsSync(real) ? readFileSync(real) : undefined;
  const isSame = bytes === undefined || now === undefined ? bytes === now : bytes.equals(now);
  if (isSame && realPlace(file) === real) return;
  throw new LspanError('stale', `${file} has changed meanwhile: nothing was written. Run it again.`, {
    nextStep: 'Run it again.',
  });
}

/** A file that another program makes at the same moment is not replaced. */
function createFrom(draft: string, file: string): void {
  const linked = resultOrError(() => linkSync(draft, file));
  if (!(linked instanceof LspanError)) return;
  // Some file systems have no links.
  if (existsSync(file)) throw linked.cause;
  renameSync(draft, file);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be read and written by this user',
  EPERM: 'may not be read and written by this user',
  EROFS: 'is on a disk that cannot be written',
  ENOTDIR: 'is below something that is not a folder',
  ELOOP: 'is a link that leads to itself',
  ENOSPC: 'does not fit: the disk is full',
  EEXIST: 'was made by another program meanwhile',
};

function reasonOf(thrown: unknown, file: string): LspanError {
  if (thrown instanceof LspanError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
  return refusedFile(file, reasons[code] ?? `cannot be used (${code})`);
}

function refusedFile(file: string, why: string): LspanError {
  return new LspanError('refused', `${file} ${why}.`, { nextStep: 'Correct that, and run it again.' });
}
