import { lstatSync, mkdtempSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
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
  remove(): Promise<void>;
}

/**
 * A folder of this run of lspan in the temporary folder, with one folder for each of its servers. It is made on first
 * use, and then removes what runs left that were killed together with their watchdog. Removing never follows a link.
 */
export class RunFolder {
  readonly #place: string;
  #path: string | undefined;
  #swept: Promise<void> | undefined;
  readonly #removals = new Set<Promise<void>>();
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
      remove: () => (own === undefined ? Promise.resolve() : this.#removeServer(own)),
    };
  }

  /** Removes everything. What was begun before has ended then too. */
  async remove(): Promise<void> {
    await Promise.all([this.#swept, ...this.#removals]);
    if (this.#path !== undefined) await removeTree(this.#path);
    // Until the next turn, Node counts the last request to the disk as unfinished.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async #removeServer(folder: string): Promise<void> {
    const removal = removeTree(folder);
    this.#removals.add(removal);
    await removal;
    this.#removals.delete(removal);
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
    // Not awaited: a start waits for no clean-up.
    this.#swept ??= sweep(place);
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
async function sweep(place: string): Promise<void> {
  const names = await readdir(place).catch(() => []);
  for (const name of names) {
    const folder = path.join(place, name);
    if (hasEnded(name) && isOwnFolder(folder)) await removeTree(folder);
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
async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}
