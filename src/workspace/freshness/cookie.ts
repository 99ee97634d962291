import {
  type FSWatcher,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { makePrivateFolder } from '../../platform/files/private-folder.ts';
import { isRunning } from '../../platform/processes/process-facts.ts';
import { attempt } from '../gate/attempt.ts';

/**
 * A file in our own watched folder, renamed to mark a point in the kernel's event queue:
 * when the event of the new name arrives, all earlier events of all watches have arrived.
 */
export class Cookie {
  readonly folder: string;
  #handle: FSWatcher | undefined;
  #number = 0;
  #resolve: ((outcome: 'delivered' | 'late') => void) | undefined;

  /** Makes the folder, accessible to us alone; `undefined` if it cannot be made or watched. */
  static open(folder?: string): Cookie | undefined {
    const made = attempt(() => folder ?? makeFolder(os.tmpdir()));
    if (!made.ok) return undefined;
    const cookie = new Cookie(made.value);
    if (cookie.#watch()) return cookie;
    cookie.close();
    return undefined;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Waits until the queue is delivered; `late` if that takes too long, is interrupted, or the rename fails. */
  pass(): Promise<'delivered' | 'late'> {
    const before = this.#path();
    const number = ++this.#number;
    return new Promise((resolve) => {
      // A blocked event loop runs its timers before it reads the queue, hence one more turn.
      const timer = setTimeout(() => setImmediate(() => this.#finish(number, 'late')), limits.barrier.late);
      this.#resolve = (outcome) => {
        this.#resolve = undefined;
        clearTimeout(timer);
        resolve(outcome);
      };
      if (attempt(() => renameSync(before, this.#path())).ok) return;
      this.#watch();
      this.interrupt();
    });
  }

  /** Ends the wait when it has become pointless. */
  interrupt(): void {
    this.#resolve?.('late');
  }

  close(): void {
    this.interrupt();
    this.#handle?.close();
    attempt(() => unlinkSync(this.#path()));
    attempt(() => rmdirSync(this.folder));
  }

  // Called again after a cleaner of temporary folders has removed the file or the whole folder.
  #watch(): boolean {
    this.#handle?.close();
    attempt(() => makePrivateFolder(this.folder));
    const made = attempt(() => writeFileSync(this.#path(), '', { mode: 0o600 }));
    const opened = made.ok ? attempt(() => watch(this.folder, { persistent: false })) : made;
    if (!opened.ok) return false;
    this.#handle = opened.value;
    this.#handle.on('change', (_event, name) => this.#finish(Number(name), 'delivered'));
    this.#handle.on('error', () => this.interrupt());
    return true;
  }

  #finish(number: number, outcome: 'delivered' | 'late'): void {
    if (number === this.#number) this.#resolve?.(outcome);
  }

  #path(): string {
    return path.join(this.folder, String(this.#number));
  }
}

/** The name contains the process id, so that the folder of a killed process can be removed later. */
function makeFolder(temporary: string): string {
  sweep(temporary);
  return mkdtempSync(path.join(temporary, `lspan-${process.pid}-`));
}

/** Removes the folders of killed processes. One in another container that only seems dead makes its folder again. */
function sweep(temporary: string): void {
  const names = attempt(() => readdirSync(temporary));
  for (const name of names.ok ? names.value : []) {
    const pid = Number(/^lspan-([1-9]\d{0,9})-[A-Za-z0-9]{6}$/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) attempt(() => removeCookies(path.join(temporary, name)));
  }
}

/** Removes our own folder, unless it is a link, has another owner, or contains anything else. */
function removeCookies(folder: string): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !isOurs(stats)) return;
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  if (!files.every(isCookie)) return;
  for (const file of files) unlinkSync(file);
  rmdirSync(folder);
}

function isCookie(file: string): boolean {
  const stats = lstatSync(file);
  return /^\d+$/.test(path.basename(file)) && stats.isFile() && stats.size === 0 && isOurs(stats);
}

function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/**
 * Returns how many events between two passes mean that the kernel may have dropped some: `fs.watch` does not report it.
 * Half, since a full queue may contain one event of the cookie, and then one of its two parts is at least that long.
 */
export function halfOfEventQueue(): number {
  const setting = attempt(() => readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  const length = setting.ok ? Number.parseInt(setting.value, 10) : Number.NaN;
  return Math.ceil((length > 0 ? length : defaultLength) / 2);
}

const defaultLength = 16_384;
