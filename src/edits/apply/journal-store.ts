import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { inParallel } from '../../core/runtime/in-parallel.ts';
import { writeNew } from '../disk/durable-files.ts';
import { codeOf, type FileSystem, ifThere } from '../disk/file-system.ts';
import { journalsClosed } from '../edit-errors.ts';
import {
  contentsStart,
  firstLineLength,
  headerLength,
  type Journal,
  readHeader,
  type WrittenJournal,
} from './journal.ts';

/**
 * The progress of an edit. `new`: nothing is in the tree. `staging`: only our own names are. `prepared`: steps may have
 * been applied. `aborted`: all were reverted, our own names are left. `committed`: all were applied, our own names are
 * left. `done`: none of our own names is left. `conflict`: another program changed what should have been reverted.
 */
export const phases = ['new', 'staging', 'prepared', 'aborted', 'committed', 'done', 'conflict'] as const;

export type Phase = (typeof phases)[number];

/** The record of an edit. */
export interface Filed {
  readonly id: string;
  readonly phase: Phase;
}

/** The folder with the records of all edits: one file each, whose name contains its phase. */
export class Journals {
  readonly folder: string;
  readonly #files: FileSystem;

  constructor(files: FileSystem, folder: string) {
    this.#files = files;
    this.folder = folder;
  }

  list(): readonly Filed[] {
    return this.#names().flatMap((name) => {
      const [, id, phase] = /^([\w-]+)\.([a-z]+)$/.exec(name) ?? [];
      const known = phases.find((one) => one === phase);
      return id !== undefined && known ? [{ id, phase: known }] : [];
    });
  }

  #names(): readonly string[] {
    try {
      return this.#files.look(this.folder) ? this.#files.list(this.folder) : [];
    } catch (thrown) {
      throw codeOf(thrown) === 'EACCES' ? journalsClosed(this.folder) : thrown;
    }
  }

  file({ id, phase }: Filed): string {
    return path.join(this.folder, `${id}.${phase}`);
  }

  /** Reads the header; `undefined` if the file is gone, incomplete, or not written by us. */
  read(filed: Filed): Journal | undefined {
    return this.#follow(filed, (file) => {
      const line = this.#files.readPart(file, 0, firstLineLength);
      const length = headerLength(line);
      if (length === undefined) return undefined;
      return readHeader(line, this.#files.readPart(file, firstLineLength, length));
    });
  }

  /** Returns the content with this hash that an edit recorded; `undefined` if it recorded none. */
  image(filed: Filed, journal: Journal, hash: string): Buffer | undefined {
    const [start, length] = journal.images[hash] ?? [];
    if (start === undefined || length === undefined) return undefined;
    const bytes = this.#follow(filed, (file) => {
      const header = headerLength(this.#files.readPart(file, 0, firstLineLength)) ?? 0;
      return this.#files.readPart(file, contentsStart(header) + start, length);
    });
    if (bytes && createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
    throw new LspanError('refused', `The journal of the edit ${journal.id} is damaged: ${this.file(filed)}`, {
      nextStep: 'Undo the edit another way, such as with version control.',
    });
  }

  /** Writes a journal to the disk before anything is changed. */
  async begin({ journal, bytes }: WrittenJournal): Promise<void> {
    const { id } = journal;
    await writeNew(this.#files, this.file({ id, phase: 'new' }), Buffer.concat(bytes));
    await this.enter(id, 'new', 'staging');
  }

  /** Like `move`, but waits until the new phase is on the disk. */
  async enter(id: string, from: Phase, to: Phase): Promise<void> {
    this.move(id, from, to);
    await this.sync();
  }

  move(id: string, from: Phase, to: Phase): void {
    this.#files.rename(this.file({ id, phase: from }), this.file({ id, phase: to }));
  }

  has(id: string, phase: Phase): boolean {
    return this.#files.look(this.file({ id, phase })) !== undefined;
  }

  remove(filed: Filed): void {
    if (this.has(filed.id, filed.phase)) this.#files.unlink(this.file(filed));
  }

  /**
   * Takes our own file out of the tree at once, and leaves it to `emptyWaste` to free its blocks. One that has another
   * name frees none, and would make that look like a hard link until then.
   */
  discard(entry: string): void {
    if ((this.#files.look(entry)?.names ?? 0) > 1) {
      this.#files.unlink(entry);
      return;
    }
    try {
      this.#files.rename(entry, path.join(this.folder, `${randomBytes(12).toString('hex')}.waste`));
    } catch (thrown) {
      // The tree is on another file system than the records.
      if (codeOf(thrown) !== 'EXDEV') throw thrown;
      this.#files.unlink(entry);
    }
  }

  /** Deletes what was discarded, by this process or by one that ended before it could. */
  async emptyWaste(): Promise<void> {
    const waste = this.#files.list(this.folder).filter((name) => name.endsWith('.waste'));
    await inParallel(waste, limits.undo.atOnce, (name) =>
      this.#files.unlinkAsync(path.join(this.folder, name)),
    );
  }

  sync(): Promise<void> {
    return this.#files.syncFolder(this.folder);
  }

  /** Reads a file that another process may rename at any moment, when its edit enters the next phase. */
  #follow<T>(filed: Filed, read: (file: string) => T): T | undefined {
    for (let now: Filed | undefined = filed; now; now = this.list().find(({ id }) => id === filed.id)) {
      const file = this.file(now);
      const found = ifThere(() => ({ read: read(file) }));
      if (found) return found.read;
    }
    return undefined;
  }
}
