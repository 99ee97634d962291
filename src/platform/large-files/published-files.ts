import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { startTimer } from '../../core/runtime/timer.ts';
import { fileFacts } from '../files/file-facts.ts';
import { createPrivateFile, readPrivateFile, syncNames } from '../files/private-file.ts';
import { makePrivateFolder } from '../files/private-folder.ts';
import { isRunning } from '../processes/process-facts.ts';

/** A change to the list: its new text, the drafts that get their names, and the files that go. */
interface ListChange {
  readonly text: string;
  readonly publish?: readonly { readonly draft: string; readonly name: string }[];
  readonly remove?: readonly string[];
}

/**
 * A folder of files that never change, and a list that says which of them count. A new file is made under another name;
 * the list, which is replaced whole, makes it count. Whoever is killed before that has changed nothing.
 */
export class PublishedFiles {
  readonly folder: string;
  readonly #list: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#list = path.join(folder, 'list.json');
  }

  /** Returns a path for a new file, and removes those that killed processes left. */
  draft(): string {
    makePrivateFolder(this.folder);
    for (const name of readdirSync(this.folder)) {
      const pid = Number(/^\.draft\.(\d+)\./.exec(name)?.[1] ?? Number.NaN);
      if (pid > 0 && !isRunning(pid)) this.#remove(name);
    }
    return path.join(this.folder, `.draft.${process.pid}.${randomUUID()}`);
  }

  /** Removes a draft, and what was made beside it. */
  discard(draft: string): void {
    for (const end of ['', '.lock', '-journal']) this.#remove(`${path.basename(draft)}${end}`);
  }

  /** Returns what changes whenever the list does; `undefined` if there is none. */
  signature(): string | undefined {
    const facts = fileFacts(this.#list);
    return facts && `${facts.ino} ${facts.mtimeNs} ${facts.size}`;
  }

  /** Returns the text of the list; `undefined` if there is none. */
  list(): string | undefined {
    return fileFacts(this.#list) ? readPrivateFile(this.#list) : undefined;
  }

  /** Replaces the list. Of several processes one at a time does so; another waits. */
  async change(edit: (text: string | undefined) => ListChange): Promise<void> {
    const next = `${this.#list}.new`;
    const descriptor = await this.#lock(next);
    let isReplaced = false;
    try {
      const { text, publish = [], remove = [] } = edit(this.list());
      for (const { draft, name } of publish) this.#publish(draft, name);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
      renameSync(next, this.#list);
      isReplaced = true;
      syncNames(this.folder);
      // Readers that have one open go on reading it.
      for (const name of remove) this.#remove(name);
    } finally {
      closeSync(descriptor);
      if (!isReplaced) rmSync(next, { force: true });
    }
  }

  /**
   * Calls back with a path of the file that nobody else uses, and that is gone afterwards: a program that makes lock files
   * beside what it opens then neither waits for others nor leaves any.
   */
  withOwnName<T>(name: string, use: (file: string) => T): T {
    const own = mkdtempSync(path.join(this.folder, `.draft.${process.pid}.`));
    try {
      linkSync(path.join(this.folder, name), path.join(own, name));
      return use(path.join(own, name));
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }

  /** Returns the bytes of a file; 0 if it is not there. */
  sizeOf(name: string): number {
    return statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }

  #publish(draft: string, name: string): void {
    const descriptor = openSync(draft, constants.O_RDWR);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(draft, path.join(this.folder, name));
    syncNames(this.folder);
  }

  #remove(name: string): void {
    resultOrError(() => rmSync(path.join(this.folder, name), { recursive: true, force: true }));
  }

  /** The new list, which only one process can create, is the lock. */
  async #lock(next: string): Promise<number> {
    makePrivateFolder(this.folder);
    const end = performance.now() + 2 * limits.index.writing;
    for (;;) {
      const made = resultOrError(() => createPrivateFile(next));
      if (!(made instanceof LspanError)) return made;
      const left = fileFacts(next)?.mtimeNs;
      if (left === undefined && !isThere(made)) throw made.cause;
      // It is older than any change takes, so its writer is gone.
      const age = left === undefined ? 0 : Date.now() - Number(left / 1_000_000n);
      if (age > limits.index.writing) rmSync(next, { force: true });
      else if (performance.now() > end) throw busy(next);
      else await new Promise<void>((resolve) => startTimer(limits.index.retry, resolve));
    }
  }
}

function isThere({ cause }: LspanError): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
}

function busy(next: string): LspanError {
  return new LspanError('busy', `Another lspan is writing ${next}.`, { nextStep: 'Try again.' });
}
