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

/** Makes a folder of lspan's own that nobody else can look into; those above it that are missing too. */
export function makePrivateFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  // A mask can take rights from the owner too.
  if (made !== undefined) chmodSync(folder, 0o700);
}

/** Puts a link, a program of a few lines that its owner may run, or a text into a folder of lspan's own. */
export function fillPrivateFile(
  file: string,
  content: { readonly link: string } | { readonly program: string } | { readonly text: string },
): void {
  makePrivateFolder(path.dirname(file));
  // Under a name of its own first: another lspan may be using what is there.
  const made = `${file}.${process.pid}.${threadId}`;
  rmSync(made, { force: true });
  if ('link' in content) symlinkSync(content.link, made);
  else if ('text' in content) writeFileSync(made, content.text, { mode: 0o600, flag: 'wx' });
  else writeFileSync(made, content.program, { mode: 0o700, flag: 'wx' });
  renameSync(made, file);
}

/** A private folder for a while, in the system's place for such; made when it is first asked for. Its path is short. */
export class TemporaryFolder {
  #path: string | undefined;

  get path(): string {
    this.#path ??= mkdtempSync(path.join(realpathSync(shortPlace()), 'lspan-'));
    return this.#path;
  }

  remove(): void {
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true, force: true });
  }
}

/** The path of a socket may have about 100 characters, of which the user's own place can take more than half. */
function shortPlace(): string {
  const own = tmpdir();
  return own.length <= 24 || process.platform === 'win32' ? own : '/tmp';
}
