import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync, watch } from 'node:fs';
import path from 'node:path';
import { type Call, cancelSignalOf, within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { alive } from '../../platform/processes/process-facts.ts';
import { readProc, readStat } from '../../platform/processes/process-files.ts';
import { writeNew } from '../disk/durable-files.ts';
import { codeOf, type FileSystem, ifThere } from '../disk/file-system.ts';

/**
 * Locks on roots, one holder each among all processes. A lock is a file whose number is one more than that of the
 * holder before: numbers only grow, so that of several who find a dead holder one alone gets the next number.
 */
export class WorkspaceLock {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #me: Owner;
  /** Locks that could not be given back when they should have been. */
  readonly #left = new Set<string>();

  constructor(files: FileSystem, folder: string, me: Owner) {
    this.#files = files;
    this.#folder = folder;
    this.#me = me;
  }

  /** Takes the locks of roots, and waits for who holds them until shortly before the call ends. */
  async take(roots: readonly string[], call: Call): Promise<() => void> {
    const unsaved: string[] = [];
    const release = () => this.#release(unsaved);
    const takeAll = async () => {
      for (const root of [...new Set(roots)].sort()) unsaved.push(await this.#await(nameOf(root), call));
    };
    await takeAll().catch((thrown: unknown) => {
      release();
      throw thrown;
    });
    return release;
  }

  /** Takes the locks of roots if nobody holds one. */
  async tryTake(roots: readonly string[]): Promise<(() => void) | undefined> {
    const unsaved: string[] = [];
    for (const root of [...new Set(roots)].sort()) {
      const got = await this.#try(nameOf(root));
      if (typeof got !== 'string') {
        this.#release(unsaved);
        return undefined;
      }
      unsaved.push(got);
    }
    return () => this.#release(unsaved);
  }

  async #await(name: string, call: Call): Promise<string> {
    for (;;) {
      cancelSignalOf(call).throwIfAborted();
      const change = await nextChange(this.#folder);
      const attempt = async () => {
        const got = await this.#try(name);
        if (typeof got === 'string') return got;
        const left = call.deadline - performance.now() - limits.undo.lookAgain;
        if (left <= 0) throw this.#busy(got, name);
        call.report('Waiting for another lspan that is changing files of this workspace.');
        // That a holder has died is told by no event.
        await within(change.event, Math.min(left, limits.undo.lookAgain), cancelSignalOf(call));
        return undefined;
      };
      const got = await attempt().finally(change.stop);
      if (got !== undefined) return got;
    }
  }

  /** The file that is the lock now, or who has it. */
  async #try(name: string): Promise<string | Owner> {
    this.#release([...this.#left]);
    const { number, holder } = this.#latest(name);
    if (holder && !hasEnded(holder, this.#me)) return holder;
    const mine = path.join(this.#folder, `${name}.${number + 1}`);
    const made = path.join(this.#folder, `${name}.${randomBytes(8).toString('hex')}.new`);
    const writing = writeNew(this.#files, made, Buffer.from(JSON.stringify(this.#me)), { isLasting: false });
    await writing.catch((thrown: unknown) => {
      ifThere(() => this.#files.unlink(made));
      throw thrown;
    });
    const isMine = this.#claim(made, mine);
    this.#files.unlink(made);
    // Somebody may have had this number and given it back already, or been overtaken.
    if (!isMine) return this.#try(name);
    const latest = this.#latest(name);
    if (latest.number !== number + 1 || latest.isFree) {
      ifThere(() => this.#files.unlink(mine));
      return this.#try(name);
    }
    for (const { file, number: before } of this.#tickets(name))
      if (before <= number) ifThere(() => this.#files.unlink(path.join(this.#folder, file)));
    return mine;
  }

  #busy({ pid, space }: Owner, name: string): LspanError {
    const ended = 'Call again when it has ended.';
    const ticket = path.join(this.#folder, `${name}.${this.#latest(name).number}`);
    // Nobody here can know whether a process of another container has ended.
    const isForeign = space !== this.#me.space;
    const message = `Another lspan (process ${pid}${isForeign ? ' of another container' : ''}) is changing files of this workspace.`;
    const nextStep = isForeign ? `${ended} If that container is gone, remove ${ticket}.` : ended;
    return new LspanError('busy', message, { nextStep });
  }

  #claim(made: string, mine: string): boolean {
    try {
      this.#files.link(made, mine);
      return true;
    } catch (thrown) {
      if (codeOf(thrown) === 'EEXIST') return false;
      throw thrown;
    }
  }

  /** Who has the highest number; nobody if it was given back. */
  #latest(name: string): { readonly number: number; readonly isFree: boolean; readonly holder?: Owner } {
    const tickets = this.#tickets(name);
    const number = Math.max(0, ...tickets.map((ticket) => ticket.number));
    const latest = tickets.filter((ticket) => ticket.number === number);
    const isFree = latest.some((ticket) => ticket.isFree);
    const [unsaved] = latest;
    if (isFree || !unsaved) return { number, isFree };
    const holder = this.#holder(path.join(this.#folder, unsaved.file));
    return holder ? { number, isFree, holder } : { number, isFree };
  }

  /** Nobody, where the ticket was removed meanwhile, or a loss of power has left nothing in it. */
  #holder(file: string): Owner | undefined {
    const text = ifThere(() => this.#files.readPart(file, 0, limits.undo.ticket))?.toString();
    return text?.endsWith('}') ? JSON.parse(text) : undefined;
  }

  #tickets(name: string): readonly Ticket[] {
    return this.#files.list(this.#folder).flatMap((file) => {
      const [, root, number, free] = /^([0-9a-f]+)\.(\d+)(\.free)?$/.exec(file) ?? [];
      return root === name ? [{ file, number: Number(number), isFree: free !== undefined }] : [];
    });
  }

  #release(locks: readonly string[]): void {
    for (const lock of locks) {
      this.#left.add(lock);
      try {
        this.#files.rename(lock, `${lock}.free`);
        this.#left.delete(lock);
      } catch {
        // Tried again before the next lock is taken.
      }
    }
  }
}

interface Ticket {
  readonly file: string;
  readonly number: number;
  readonly isFree: boolean;
}

function nameOf(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 32);
}

/** Where the system has no watch left, the next look is the only event. */
async function nextChange(
  folder: string,
): Promise<{ readonly event: Promise<void>; readonly stop: () => void }> {
  const watching = Promise.resolve().then(() => watch(folder, { persistent: false }));
  const watcher = await watching.catch(() => undefined);
  const event = new Promise<void>((resolve) => {
    watcher?.once('change', () => resolve());
    watcher?.once('error', () => resolve());
  });
  return { event, stop: () => watcher?.close() };
}

/** A process, told apart from a later one that has the same number. */
export interface Owner {
  readonly pid: number;
  /** When it began, where that can be known. */
  readonly started: number;
  /** The start of the system, and the space of process numbers; empty where they cannot be known. */
  readonly boot: string;
  readonly space: string;
}

/** This process. */
export function thisProcess(): Owner {
  const { pid } = process;
  return { pid, started: readStat(pid)?.startTime ?? 0, boot: bootId(), space: spaceOf() };
}

/** Whether a process has ended. One whose number means nothing here cannot be known to have. */
export function hasEnded(owner: Owner, me: Owner): boolean {
  if (owner.boot !== me.boot) return true;
  if (owner.space !== me.space) return false;
  if (!alive(owner.pid)) return true;
  const stat = readStat(owner.pid);
  // Where nobody waits for its children, one that was killed keeps its number for ever.
  return stat?.hasEnded === true || owner.started !== (stat?.startTime ?? 0);
}

function bootId(): string {
  return readProc('sys/kernel/random', 'boot_id').trim();
}

function spaceOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
