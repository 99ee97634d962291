import { createHash, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import path from 'node:path';
import { type Call, cancelSignalOf, timeLeft, within } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { hasEnded, type ProcessIdentity } from '../../platform/processes/process-identity.ts';
import { writeNew } from '../disk/durable-files.ts';
import { codeOf, type FileSystem, ifThere } from '../disk/file-system.ts';

/**
 * Locks on roots, each with one holder among all processes. A lock is a file whose number is one more than that of the
 * holder before: numbers only grow, so that only one of several that find a dead holder gets the next number.
 */
export class WorkspaceLock {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #owner: ProcessIdentity;
  /** Locks that could not be released when they should have been. */
  readonly #unreleased = new Set<string>();

  constructor(files: FileSystem, folder: string, me: ProcessIdentity) {
    this.#files = files;
    this.#folder = folder;
    this.#owner = me;
  }

  /** Takes the locks of roots, and waits for their holders until shortly before the call ends. */
  async take(roots: readonly string[], call: Call): Promise<() => void> {
    const locks: string[] = [];
    const release = () => this.#release(locks);
    const takeAll = async () => {
      for (const root of [...new Set(roots)].sort()) locks.push(await this.#waitForLock(nameOf(root), call));
    };
    await takeAll().catch((thrown: unknown) => {
      release();
      throw thrown;
    });
    return release;
  }

  /** Takes the locks of roots if all are free. */
  async tryTake(roots: readonly string[]): Promise<(() => void) | undefined> {
    const locks: string[] = [];
    for (const root of [...new Set(roots)].sort()) {
      const got = await this.#tryLock(nameOf(root));
      if (typeof got !== 'string') {
        this.#release(locks);
        return undefined;
      }
      locks.push(got);
    }
    return () => this.#release(locks);
  }

  /** True if a process that runs has the lock of one of these roots. */
  isHeld(roots: readonly string[]): boolean {
    if (!this.#files.look(this.#folder)) return false;
    return roots.some((root) => {
      const { holder } = this.#latest(nameOf(root));
      return holder !== undefined && !hasEnded(holder, this.#owner);
    });
  }

  async #waitForLock(name: string, call: Call): Promise<string> {
    for (;;) {
      cancelSignalOf(call).throwIfAborted();
      const change = await nextChange(this.#folder);
      const attempt = async () => {
        const got = await this.#tryLock(name);
        if (typeof got === 'string') return got;
        const left = timeLeft(call) - limits.undo.lookAgain;
        if (left <= 0) throw this.#busy(got, name);
        call.report('Waiting for another lspan that is changing files of this workspace.');
        // No event reports that a holder has died.
        await within(change.event, Math.min(left, limits.undo.lookAgain), cancelSignalOf(call));
        return undefined;
      };
      const got = await attempt().finally(change.stop);
      if (got !== undefined) return got;
    }
  }

  /** Returns the file of the lock if it was taken, else its holder. */
  async #tryLock(name: string): Promise<string | ProcessIdentity> {
    this.#release([...this.#unreleased]);
    const { number, holder } = this.#latest(name);
    if (holder && !hasEnded(holder, this.#owner)) return holder;
    const mine = path.join(this.#folder, `${name}.${number + 1}`);
    const made = path.join(this.#folder, `${name}.${randomBytes(8).toString('hex')}.new`);
    const writing = writeNew(this.#files, made, Buffer.from(JSON.stringify(this.#owner)), {
      isLasting: false,
    });
    await writing.catch((thrown: unknown) => {
      ifThere(() => this.#files.unlink(made));
      throw thrown;
    });
    const isMine = this.#claim(made, mine);
    this.#files.unlink(made);
    // Another process may have had this number and released it already, or been overtaken.
    if (!isMine) return this.#tryLock(name);
    const latest = this.#latest(name);
    if (latest.number !== number + 1 || latest.isFree) {
      ifThere(() => this.#files.unlink(mine));
      return this.#tryLock(name);
    }
    for (const { file, number: before } of this.#tickets(name))
      if (before <= number) ifThere(() => this.#files.unlink(path.join(this.#folder, file)));
    return mine;
  }

  #busy({ pid, space }: ProcessIdentity, name: string): LspanError {
    const ended = 'Call again when it has finished.';
    const ticket = path.join(this.#folder, `${name}.${this.#latest(name).number}`);
    // It cannot be known here if a process of another container has ended.
    const isForeign = space !== this.#owner.space;
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

  /** Returns the highest number and its holder; without a holder if it was released. */
  #latest(name: string): {
    readonly number: number;
    readonly isFree: boolean;
    readonly holder?: ProcessIdentity;
  } {
    const tickets = this.#tickets(name);
    const number = Math.max(0, ...tickets.map((ticket) => ticket.number));
    const latest = tickets.filter((ticket) => ticket.number === number);
    const isFree = latest.some((ticket) => ticket.isFree);
    const [ticket] = latest;
    if (isFree || !ticket) return { number, isFree };
    const holder = this.#holder(path.join(this.#folder, ticket.file));
    return holder ? { number, isFree, holder } : { number, isFree };
  }

  /** Returns `undefined` if the ticket was removed meanwhile, or is empty after a power loss. */
  #holder(file: string): ProcessIdentity | undefined {
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
      this.#unreleased.add(lock);
      try {
        this.#files.rename(lock, `${lock}.free`);
        this.#unreleased.delete(lock);
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

/** If the system has no watch left, the event never comes, and the lock is tried again after a while. */
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
