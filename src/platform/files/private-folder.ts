import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';

/** Makes a folder of lspan's own that only its owner can open, and missing ones above it. */
export function makePrivateFolder(folder: string): void {
  if (isFolder(folder)) return;
  // One by one: where a file system makes no folders and says that nothing is there, Node's recursive form never ends.
  const above = path.dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  const made = resultOrError(() => mkdirSync(folder, { mode: 0o700 }));
  // A umask can take rights from the owner too.
  if (!(made instanceof LspanError)) chmodSync(folder, 0o700);
  // Another process may have made it meanwhile.
  else if (!isFolder(folder)) throw made.cause;
}

/** Makes a folder of lspan's own if it is missing, and lets only its owner open it. Throws for a link or another's. */
export function closePrivateFolder(folder: string): void {
  makePrivateFolder(folder);
  if (!lstatSync(folder).isDirectory()) throw new LspanError('refused', `${folder} is a link.`);
  chmodSync(folder, 0o700);
}

/** False if a folder would be made below one of another user, as by a root that keeps the home of a user. */
export function isOwnPlace(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  const above = path.dirname(folder);
  if (!stats) return above !== folder && isOwnPlace(above);
  return process.geteuid === undefined || stats.uid === process.geteuid();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Writes a link, a short script that its owner may run, or a text into a folder of lspan's own. */
export function fillPrivateFile(
  file: string,
  content: { readonly link: string } | { readonly program: string } | { readonly text: string },
): void {
  makePrivateFolder(path.dirname(file));
  // Under a temporary name first: another lspan may be using the existing file.
  const temporary = `${file}.${process.pid}.${threadId}`;
  rmSync(temporary, { force: true });
  if ('link' in content) symlinkSync(content.link, temporary);
  else if ('text' in content) writeFileSync(temporary, content.text, { mode: 0o600, flag: 'wx' });
  else writeFileSync(temporary, content.program, { mode: 0o700, flag: 'wx' });
  renameSync(temporary, file);
}

/** A private folder with a short path in the system's temporary folder, made on first use. */
export class TemporaryFolder {
  #path: string | undefined;

  get path(): string {
    this.#path ??= mkdtempSync(path.join(realpathSync(temporaryPlace()), 'lspan-'));
    return this.#path;
  }

  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true });
  }
}

/**
 * Returns where temporary folders are made. The path of a socket may have about 100 characters, and the user's temporary
 * folder can take more than half.
 */
export function temporaryPlace(): string {
  const own = tmpdir();
  return own.length <= 24 || process.platform === 'win32' ? own : '/tmp';
}
