import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { threadId } from 'node:worker_threads';

/** Makes a folder of lspan's own that only its owner can open, and missing ones above it. */
export function makePrivateFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A umask can take rights from the owner too.
  if (made !== undefined) chmodSync(folder, 0o700);
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
