import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { isRunning } from '../processes/process-facts.ts';
import { readStat } from '../processes/process-files.ts';
import { makePrivateFolder, temporaryPlace } from './private-folder.ts';

/** The temporary folder of one server. */
export interface ServerFolder {
  /** Its path; the folder is made when this is first read. */
  readonly path: string;
  /** Removes the folder and what is in it; what cannot be removed goes with the folder of the run, or with the next sweep. */
  remove(): void;
}

/**
 * A folder of this run of lspan in the temporary folder, with one folder for each of its servers. It is made on first
 * use, and then removes what runs left that were killed together with their watchdog. Removing never follows a link.
 */
export class RunFolder {
  readonly #place: string;
  #path: string | undefined;
  #swept: Promise<void> | undefined;
  #servers = 0;

  constructor(place: string = temporaryPlace()) {
    this.#place = place;
  }

  /** The path, if the folder was made. */
  get path(): string | undefined {
    return this.#path;
  }

  /** Returns the folder of a server that is about to start. */
  forServer(): ServerFolder {
    let own: string | undefined;
    const make = () => this.#makeNext();
    return {
      get path() {
        own ??= make();
        return own;
      },
      remove: () => {
        if (own !== undefined) removeTree(own);
      },
    };
  }

  /** Removes everything, when the sweep has ended too. */
  async remove(): Promise<void> {
    await this.#swept;
    if (this.#path !== undefined) removeTree(this.#path);
  }

  /** Short names, since the path of a socket may have about 100 characters. */
  #makeNext(): string {
    // A cleaner of temporary folders may have removed it, and another user may have made one of its name.
    if (this.#path === undefined || !isOwnFolder(this.#path)) this.#path = this.#make();
    this.#servers += 1;
    const folder = path.join(this.#path, this.#servers.toString(36));
    makePrivateFolder(folder);
    return folder;
  }

  #make(): string {
    const place = realpathSync(this.#place);
    const made = mkdtempSync(path.join(place, ['lspan', ...identityOf(process.pid), ''].join('-')));
    this.#swept ??= new Promise((resolve) => {
      // Later: a start waits for no clean-up. Synchronously: where no thread can be started, Node ends at the first call
      // to the disk that needs one.
      setImmediate(() => {
        sweep(place);
        resolve();
      });
    });
    return made;
  }
}

/**
 * Returns what distinguishes a process from any other on this machine: its number, the time of its start, since numbers
 * are used again, and the namespace in which the number is valid, since containers may share a temporary folder.
 */
function identityOf(pid: number): readonly string[] {
  return [pid, readStat(pid)?.startTime ?? 0, namespace()].map((number) => number.toString(36));
}

function namespace(): number {
  const link = resultOrError(() => readlinkSync('/proc/self/ns/pid'));
  return link instanceof LspanError ? 0 : Number(/\d+/.exec(link)?.[0] ?? 0);
}

/** Removes the folders of runs whose process has ended. */
function sweep(place: string): void {
  const names = resultOrError(() => readdirSync(place));
  for (const name of names instanceof LspanError ? [] : names) {
    const folder = path.join(place, name);
    if (hasEnded(name) && isOwnFolder(folder)) removeTree(folder);
  }
}

const runName = /^lspan-([0-9a-z]{1,7})-([0-9a-z]{1,12})-([0-9a-z]{1,7})-[A-Za-z0-9]{6}$/;

/** True if a name is that of a folder of a run that has certainly ended. A start time of 0 was not known. */
function hasEnded(name: string): boolean {
  const [pid = 0, startTime, space] = (runName.exec(name) ?? [])
    .slice(1)
    .map((part) => Number.parseInt(part, 36));
  if (pid === 0 || space !== namespace()) return false;
  const now = startTime === 0 ? undefined : readStat(pid);
  return !isRunning(pid) || (now !== undefined && now.startTime !== startTime);
}

function isOwnFolder(folder: string): boolean {
  const stats = resultOrError(() => lstatSync(folder));
  return !(stats instanceof LspanError) && stats.isDirectory() && isOurs(stats);
}

function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Does not fail: the folder is looked at again when the run ends, and when the next one starts. */
function removeTree(folder: string): void {
  resultOrError(() => rmSync(folder, { recursive: true, force: true }));
}
