import {
  type FSWatcher,
  lstatSync,
  mkdirSync,
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
import { runs } from '../../platform/processes/process-facts.ts';
import { attempt } from '../gate/attempt.ts';

/**
 * A file in a watched folder of our own, renamed to ask the kernel's queue a question:
 * when the event of the new name comes, all earlier events of all watches have come.
 */
export class Cookie {
  readonly folder: string;
  #handle: FSWatcher | undefined;
  #number = 0;
  #settle: ((outcome: 'delivered' | 'late') => void) | undefined;

  /** Makes the folder, for us alone; absent where that or watching it is impossible. */
  static open(folder?: string): Cookie | undefined {
    const made = attempt(() => folder ?? makeFolder(os.tmpdir()));
    if (!made.ok) return undefined;
    const cookie = new Cookie(made.value);
    if (cookie.#begin()) return cookie;
    cookie.close();
    return undefined;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Waits for the queue to be delivered; late when it takes too long, is interrupted, or cannot be asked. */
  pass(): Promise<'delivered' | 'late'> {
    const before = this.#path();
    const number = ++this.#number;
    return new Promise((resolve) => {
      // A loop that was blocked runs its timers before it reads the queue, hence one more turn.
      const timer = setTimeout(() => setImmediate(() => this.#give(number, 'late')), limits.barrier.late);
      this.#settle = (outcome) => {
        this.#settle = undefined;
        clearTimeout(timer);
        resolve(outcome);
      };
      if (attempt(() => renameSync(before, this.#path())).ok) return;
      this.#begin();
      this.interrupt();
    });
  }

  /** Ends the wait: it has become pointless. */
  interrupt(): void {
    this.#settle?.('late');
  }

  close(): void {
    this.interrupt();
    this.#handle?.close();
    attempt(() => unlinkSync(this.#path()));
    attempt(() => rmdirSync(this.folder));
  }

  // Also after a cleaner of temporary folders has taken the file or the whole folder away.
  #begin(): boolean {
    this.#handle?.close();
    attempt(() => mkdirSync(this.folder, { recursive: true, mode: 0o700 }));
    const made = attempt(() => writeFileSync(this.#path(), '', { mode: 0o600 }));
    const opened = made.ok ? attempt(() => watch(this.folder, { persistent: false })) : made;
    if (!opened.ok) return false;
    this.#handle = opened.value;
    this.#handle.on('change', (_event, name) => this.#give(Number(name), 'delivered'));
    this.#handle.on('error', () => this.interrupt());
    return true;
  }

  #give(number: number, outcome: 'delivered' | 'late'): void {
    if (number === this.#number) this.#settle?.(outcome);
  }

  #path(): string {
    return path.join(this.folder, String(this.#number));
  }
}

/** The name tells whose the folder is: nobody takes it away for a process that was killed. */
function makeFolder(temporary: string): string {
  sweep(temporary);
  return mkdtempSync(path.join(temporary, `lspan-${process.pid}-`));
}

/**
 * Removes what killed processes left behind. Should a living one in another container be taken for dead, it makes
 * its folder anew.
 */
function sweep(temporary: string): void {
  const names = attempt(() => readdirSync(temporary));
  for (const name of names.ok ? names.value : []) {
    const pid = Number(/^lspan-([1-9]\d{0,9})-[A-Za-z0-9]{6}$/.exec(name)?.[1]);
    if (pid > 0 && !runs(pid)) attempt(() => removeCookies(path.join(temporary, name)));
  }
}

/** Removes a folder of ours; one that is a link, belongs to somebody else or holds anything else is left alone. */
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
 * How many events between two questions mean that the kernel may have dropped some: `fs.watch` never tells.
 * Half, since a full queue may hold one question, and then one of its two parts is at least that long.
 */
export function halfOfEventQueue(): number {
  const setting = attempt(() => readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
  const length = setting.ok ? Number.parseInt(setting.value, 10) : Number.NaN;
  return Math.ceil((length > 0 ? length : usualLength) / 2);
}

const usualLength = 16_384;
