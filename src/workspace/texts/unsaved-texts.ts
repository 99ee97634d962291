import { dirname, sep } from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { mebibytes } from '../../core/wording/mebibytes.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { ChangeSet } from '../freshness/change-set.ts';
import type { AllowedFolders } from '../gate/allowed-folders.ts';
import { entryAt } from '../gate/entry-at.ts';
import { outsideWorkspace } from '../gate/given-path.ts';
import { realPath } from '../gate/real-path.ts';
import { statsOf } from '../gate/signature.ts';
import type { Change } from '../workspace.ts';
import { type Document, documentOf } from './document.ts';

/** Options and callbacks of `UnsavedTexts`. */
interface UnsavedTextsOptions {
  readonly allowed: AllowedFolders;
  /** Size limit of a text, in bytes. */
  readonly largest: number;
  /** True if the disk has the file, as far as known. */
  isSaved(path: string): boolean;
  show(path: string): string;
  publish(changes: readonly Change[]): void;
}

/** Texts that a program around lspan has and the disk does not: each is used until it is released. */
export class UnsavedTexts {
  readonly #options: UnsavedTextsOptions;
  readonly #documents = new Map<string, Document>();
  /** Deferred changes of the files on the disk. */
  readonly #deferred = new Map<string, ChangeSet>();
  /** Files by the name that was last given for each: a link of that name may lead elsewhere since. */
  readonly #names = new Map<string, string>();
  #bytes = 0;

  constructor(options: UnsavedTextsOptions) {
    this.#options = options;
  }

  /** By real path. */
  get documents(): ReadonlyMap<string, Document> {
    return this.#documents;
  }

  get(path: string): Document | undefined {
    return this.#documents.get(path);
  }

  /** Uses a text instead of a file; without a text, the file on disk is used again. Changes nothing if it throws. */
  hold(given: string, text: string | undefined): void {
    const before = this.#names.get(given);
    if (text === undefined) this.#release(before ?? unsavedPath(this.#options.allowed, given));
    else this.#hold(given, text, before);
  }

  /** Defers changes on the disk to files with an unsaved text until it is released; returns the others. */
  deferChanges(changes: readonly Change[]): readonly Change[] {
    if (this.#documents.size === 0) return changes;
    for (const { path, kind } of changes) this.#deferred.get(path)?.add(path, kind);
    return changes.filter(({ path }) => !this.#documents.has(path));
  }

  /** True if a file with an unsaved text has not changed on the disk since. */
  isUntouched(path: string): boolean {
    return this.#deferred.get(path)?.list().length === 0;
  }

  #hold(given: string, text: string, before: string | undefined): void {
    const path = unsavedPath(this.#options.allowed, given);
    const conflicting = [...this.#documents.keys()].find(
      (other) => isBelow(other, path) || isBelow(path, other),
    );
    if (conflicting !== undefined) throw impossiblePath(notBoth(given, this.#options.show(conflicting)));
    const document = this.#read(path, text);
    // The given name leads to another file by now.
    if (before !== undefined && before !== path) this.#release(before);
    this.#forgetNames(path);
    this.#names.set(given, path);
    const old = this.#documents.get(path);
    if (old && isSame(old, document)) return;
    const kind = old || this.#options.isSaved(path) ? 'changed' : 'created';
    this.#bytes += sizeOf(document) - sizeOf(old);
    this.#documents.set(path, document);
    if (!old) this.#deferred.set(path, new ChangeSet());
    this.#options.publish([{ path, kind, unsaved: true }]);
  }

  #release(path: string): void {
    const document = this.#documents.get(path);
    if (!document) return;
    const [onDisk] = this.#deferred.get(path)?.list() ?? [];
    this.#documents.delete(path);
    this.#deferred.delete(path);
    this.#bytes -= sizeOf(document);
    this.#forgetNames(path);
    const kind = this.#options.isSaved(path) ? 'changed' : 'deleted';
    this.#options.publish([onDisk ?? { path, kind, unsaved: true }]);
  }

  #forgetNames(path: string): void {
    for (const [name, place] of this.#names) if (place === path) this.#names.delete(name);
  }

  #read(path: string, text: string): Document {
    const { largest } = this.#options;
    const shown = quotePath(this.#options.show(path));
    const wrong = faultOf(text);
    if (wrong)
      throw new LspanError('invalid_input', `The text of ${shown} ${wrong}.`, { nextStep: passText });
    const document = documentOf(path, text);
    const [old, size] = [this.#documents.get(path), sizeOf(document)];
    const { files, bytes } = limits.held;
    if (size > largest)
      throw overLimit(
        `The text of ${shown} is larger than ${mebibytes(largest)}.`,
        'Pass no text of this size: language servers are not asked about it.',
      );
    if (!old && this.#documents.size >= files) throw overLimit(`${files} files already have unsaved text.`);
    if (this.#bytes - sizeOf(old) + size > bytes)
      throw overLimit(`With ${shown}, unsaved texts exceed ${mebibytes(bytes)}.`);
    return document;
  }
}

function notBoth(given: string, other: string): string {
  return `${quotePath(given)} and ${quotePath(other)} (unsaved) cannot both be files: one is inside the other.`;
}

function isBelow(folder: string, path: string): boolean {
  return folder !== path && isPathWithin(folder, path);
}

function sizeOf(document: Document | undefined): number {
  return document ? Buffer.byteLength(document.text) + (document.hasBom ? 3 : 0) : 0;
}

function isSame(one: Document, other: Document): boolean {
  return one.text === other.text && one.hasBom === other.hasBom;
}

/** Returns why a text could not be that of a file on the disk. */
function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character, like a binary file';
  return /\p{Surrogate}/u.test(text) ? 'is not well-formed Unicode: it has a lone surrogate' : undefined;
}

const passText = 'Pass the text as it would be read from the file.';

const makeRoom = 'Save files, or release unsaved texts.';

function overLimit(message: string, nextStep = makeRoom): LspanError {
  return new LspanError('limit_exceeded', message, { nextStep });
}

/** Returns the real path of a file, existing or not: follows links, also one at the end. */
function unsavedPath(allowed: AllowedFolders, given: string): string {
  const { path, kind } = entryAt(allowed, given);
  if (kind === 'missing') {
    // Servers read a backslash as a separator, and would take the text for that of another file.
    if (sep === '/' && path.includes('\\')) throw impossiblePath(`${quotePath(given)} has a backslash.`);
    expectFolderAbove(allowed, path, given);
    return path;
  }
  const located = allowed.locate(path);
  const followed = located ? realPath(allowed, located) : undefined;
  const leads = followed?.kind === 'found' || followed?.kind === 'missing';
  if (!leads || allowed.rootOf(followed.path) === undefined) throw outsideWorkspace(given);
  if (followed.kind === 'missing' || followed.stats.isFile()) return followed.path;
  throw impossiblePath(`${quotePath(given)} is not a regular file.`);
}

/** A file that does not exist yet can only be created below folders. */
function expectFolderAbove(allowed: AllowedFolders, path: string, given: string): void {
  for (let folder = dirname(path); allowed.rootOf(folder) !== undefined; folder = dirname(folder)) {
    const stats = statsOf(folder);
    if (stats?.isDirectory()) return;
    if (stats) throw impossiblePath(`${quotePath(given)} would be in a file, not in a folder.`);
  }
}

/** The error for a path that no file can have. */
function impossiblePath(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Pass the path of a text file, which need not exist yet.',
  });
}
