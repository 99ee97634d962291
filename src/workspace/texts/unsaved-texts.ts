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

/** What held texts stand for, and whom they tell. */
interface UnsavedTextsOptions {
  readonly allowed: AllowedFolders;
  /** The bytes of the largest text. */
  readonly largest: number;
  /** Whether the disk has the file, as far as it is known. */
  isSaved(path: string): boolean;
  show(path: string): string;
  publish(changes: readonly Change[]): void;
}

/** The texts that a program around lspan has and the disk does not: each counts until it is given back. */
export class UnsavedTexts {
  readonly #site: UnsavedTextsOptions;
  readonly #documents = new Map<string, Document>();
  /** What became of the files on the disk since. */
  readonly #disk = new Map<string, ChangeSet>();
  /** The files by what each was last called when its text came: a link of that name may lead elsewhere since. */
  readonly #names = new Map<string, string>();
  #bytes = 0;

  constructor(site: UnsavedTextsOptions) {
    this.#site = site;
  }

  /** By their real paths. */
  get documents(): ReadonlyMap<string, Document> {
    return this.#documents;
  }

  get(path: string): Document | undefined {
    return this.#documents.get(path);
  }

  /** Takes a text for that of a file; without one, the disk's counts again. What is refused changes nothing. */
  hold(given: string, text: string | undefined): void {
    const before = this.#names.get(given);
    if (text === undefined) this.#giveBack(before ?? unsavedPath(this.#site.allowed, given));
    else this.#hold(given, text, before);
  }

  /** Keeps back what became of held files on the disk: nobody sees it before their texts are given back. */
  sift(changes: readonly Change[]): readonly Change[] {
    if (this.#documents.size === 0) return changes;
    for (const { path, kind } of changes) this.#disk.get(path)?.add(path, kind);
    return changes.filter(({ path }) => !this.#documents.has(path));
  }

  /** Whether nothing became of a held file on the disk since. */
  isUntouched(path: string): boolean {
    return this.#disk.get(path)?.list().length === 0;
  }

  #hold(given: string, text: string, before: string | undefined): void {
    const path = unsavedPath(this.#site.allowed, given);
    const inTheWay = [...this.#documents.keys()].find(
      (other) => isBelow(other, path) || isBelow(path, other),
    );
    if (inTheWay !== undefined) throw noPlace(notBoth(given, this.#site.show(inTheWay)));
    const document = this.#read(path, text);
    // What it was called leads to another file by now.
    if (before !== undefined && before !== path) this.#giveBack(before);
    this.#forgetNames(path);
    this.#names.set(given, path);
    const old = this.#documents.get(path);
    if (old && isSame(old, document)) return;
    const kind = old || this.#site.isSaved(path) ? 'changed' : 'created';
    this.#bytes += sizeOf(document) - sizeOf(old);
    this.#documents.set(path, document);
    if (!old) this.#disk.set(path, new ChangeSet());
    this.#site.publish([{ path, kind, unsaved: true }]);
  }

  #giveBack(path: string): void {
    const document = this.#documents.get(path);
    if (!document) return;
    const [onDisk] = this.#disk.get(path)?.list() ?? [];
    this.#documents.delete(path);
    this.#disk.delete(path);
    this.#bytes -= sizeOf(document);
    this.#forgetNames(path);
    const kind = this.#site.isSaved(path) ? 'changed' : 'deleted';
    this.#site.publish([onDisk ?? { path, kind, unsaved: true }]);
  }

  #forgetNames(path: string): void {
    for (const [name, place] of this.#names) if (place === path) this.#names.delete(name);
  }

  #read(path: string, text: string): Document {
    const { largest } = this.#site;
    const shown = quotePath(this.#site.show(path));
    const wrong = faultOf(text);
    if (wrong)
      throw new LspanError('invalid_input', `The text of ${shown} ${wrong}.`, { nextStep: passText });
    const document = documentOf(path, text);
    const [old, size] = [this.#documents.get(path), sizeOf(document)];
    const { files, bytes } = limits.held;
    if (size > largest)
      throw tooMuch(
        `The text of ${shown} is larger than ${mebibytes(largest)}.`,
        'Hold no text of this size: language servers are not asked about it.',
      );
    if (!old && this.#documents.size >= files) throw tooMuch(`The texts of ${files} files are held already.`);
    if (this.#bytes - sizeOf(old) + size > bytes)
      throw tooMuch(`With ${shown}, more than ${mebibytes(bytes)} of text would be held.`);
    return document;
  }
}

function notBoth(given: string, other: string): string {
  return `${quotePath(given)} and ${quotePath(other)}, whose text is held, cannot both be files: one lies in the other.`;
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

/** Why a text could not be that of a document on the disk. */
function faultOf(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character, as a binary file does';
  return /\p{Surrogate}/u.test(text) ? 'is not well-formed Unicode: a surrogate stands alone' : undefined;
}

const passText = 'Pass the text as it would be read from the file.';

const makeRoom = 'Save files, or give texts back that nobody needs any more.';

function tooMuch(message: string, nextStep = makeRoom): LspanError {
  return new LspanError('limit_exceeded', message, { nextStep });
}

/** The real path of the file, there or not yet, whose text somebody has: links are followed, also one at the end. */
function unsavedPath(allowed: AllowedFolders, given: string): string {
  const { path, kind } = entryAt(allowed, given);
  if (kind === 'missing') {
    // Servers take a backslash for a separator: they would have the text for that of another file.
    if (sep === '/' && path.includes('\\')) throw noPlace(`${quotePath(given)} holds a backslash.`);
    expectFolderAbove(allowed, path, given);
    return path;
  }
  const located = allowed.locate(path);
  const followed = located ? realPath(allowed, located) : undefined;
  const leads = followed?.kind === 'found' || followed?.kind === 'missing';
  if (!leads || allowed.rootOf(followed.path) === undefined) throw outsideWorkspace(given);
  if (followed.kind === 'missing' || followed.stats.isFile()) return followed.path;
  throw noPlace(`${quotePath(given)} is not a regular file.`);
}

/** What is not there yet could come only where no file stands in its way. */
function expectFolderAbove(allowed: AllowedFolders, path: string, given: string): void {
  for (let folder = dirname(path); allowed.rootOf(folder) !== undefined; folder = dirname(folder)) {
    const stats = statsOf(folder);
    if (stats?.isDirectory()) return;
    if (stats) throw noPlace(`${quotePath(given)} would lie in a file, not in a folder.`);
  }
}

/** Why no file can be at a path. */
function noPlace(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Pass the path of a text file, which need not exist yet.',
  });
}
