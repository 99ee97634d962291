import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { inParallel, writeNew } from '../disk/durable-files.ts';
import { codeOf, type FileSystem, ifThere } from '../disk/file-system.ts';
import {
  contentsStart,
  firstLineLength,
  headerLength,
  type Journal,
  readHeader,
  type WrittenJournal,
} from './journal.ts';

/**
 * How far an edit has come. `new`: nothing is in the tree. `staging`: only names of ours are. `prepared`: steps may have
 * been taken. `aborted`: all were taken back, names of ours are left. `committed`: all were taken, names of ours are
 * left. `done`: nothing of ours is left. `conflict`: somebody else changed what should have been taken back.
 */
export const phases = ['new', 'staging', 'prepared', 'aborted', 'committed', 'done', 'conflict'] as const;

export type Phase = (typeof phases)[number];

/** An edit that is on record. */
export interface Filed {
  readonly id: string;
  readonly phase: Phase;
}

/** The folder in which all edits are on record: a file for each, whose name says how far it has come. */
export class Journals {
  readonly folder: string;
  readonly #files: FileSystem;

  constructor(files: FileSystem, folder: string) {
    this.#files = files;
    this.folder = folder;
  }

  list(): readonly Filed[] {
    if (!this.#files.look(this.folder)) return [];
    return this.#files.list(this.folder).flatMap((name) => {
      const [, id, phase] = /^([\w-]+)\.([a-z]+)$/.exec(name) ?? [];
      const known = phases.find((one) => one === phase);
      return id !== undefined && known ? [{ id, phase: known }] : [];
    });
  }

  /** The file of an edit. */
  file({ id, phase }: Filed): string {
    return path.join(this.folder, `${id}.${phase}`);
  }

  /** Reads the header; nothing where the file is not one that we wrote, or not all of it, or is there no more. */
  read(filed: Filed): Journal | undefined {
    return this.#follow(filed, (file) => {
      const line = this.#files.readPart(file, 0, firstLineLength);
      const length = headerLength(line);
      if (length === undefined) return undefined;
      return readHeader(line, this.#files.readPart(file, firstLineLength, length));
    });
  }

  /** The bytes with this hash that an edit put away; nothing where it put none away. */
  image(filed: Filed, journal: Journal, hash: string): Buffer | undefined {
    const [start, length] = journal.images[hash] ?? [];
    if (start === undefined || length === undefined) return undefined;
    const bytes = this.#follow(filed, (file) => {
      const header = headerLength(this.#files.readPart(file, 0, firstLineLength)) ?? 0;
      return this.#files.readPart(file, contentsStart(header) + start, length);
    });
    if (bytes && createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
    throw new LspanError('refused', `The record of the edit ${journal.id} is damaged: ${this.file(filed)}`, {
      nextStep: 'Take the edit back by other means, such as version control.',
    });
  }

  /** Puts a journal on the disk before anything is done. */
  async begin({ journal, bytes }: WrittenJournal): Promise<void> {
    const { id } = journal;
    await writeNew(this.#files, this.file({ id, phase: 'new' }), Buffer.concat(bytes));
    await this.enter(id, 'new', 'staging');
  }

  /** The edit has come further, and that is on the disk. */
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

  /** Takes a file of ours out of the tree at once, and leaves it to `emptyWaste` to free what it held. */
  discard(place: string): void {
    try {
      this.#files.rename(place, path.join(this.folder, `${randomBytes(12).toString('hex')}.waste`));
    } catch (thrown) {
      // The tree is on another file system than the records.
      if (codeOf(thrown) !== 'EXDEV') throw thrown;
      this.#files.unlink(place);
    }
  }

  /** Frees what was discarded, by this process or by one that ended before it could. */
  async emptyWaste(): Promise<void> {
    const waste = this.#files.list(this.folder).filter((name) => name.endsWith('.waste'));
    await inParallel(waste, (name) => this.#files.letGo(path.join(this.folder, name)));
  }

  sync(): Promise<void> {
    return this.#files.syncFolder(this.folder);
  }

  /** Reads a file that another process may call otherwise at any moment, since its edit has come further. */
  #follow<T>(filed: Filed, read: (file: string) => T): T | undefined {
    for (let now: Filed | undefined = filed; now; now = this.list().find(({ id }) => id === filed.id)) {
      const file = this.file(now);
      const found = ifThere(() => ({ read: read(file) }));
      if (found) return found.read;
    }
    return undefined;
  }
}
