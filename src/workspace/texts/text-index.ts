import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../core/limits.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import { nearestNames } from '../../core/wording/nearest-name.ts';
import { changesFiles } from '../freshness/change-set.ts';
import { holdsSecrets } from '../gate/secret-files.ts';
import type { Change } from '../workspace.ts';
import { containsParts, searchedParts, WordSet, wordHashes, wordsLike, wordsOfName } from './word-set.ts';

/** The files to index. */
interface TextSource {
  readonly files: () => Iterable<string>;
  readonly isFile: (path: string) => boolean;
  /** Returns the bytes of a file; `undefined` if it is not readable text. */
  readonly read: (path: string) => Uint8Array | undefined;
}

/** Knows which files mention a word. Built on first use, then kept current by the changes on the disk. */
export class TextIndex {
  readonly #source: TextSource;
  readonly #words = new Map<string, Uint32Array>();
  /** Files whose current text has not been indexed. */
  readonly #unread = new Set<string>();
  /** The list of files may have changed. */
  #unlisted = true;
  readonly #asked = new BoundedCache<AskedName>({ count: limits.askedNames });
  readonly #contained = new BoundedCache<Promise<readonly string[]>>({ count: limits.askedParts });
  #reading: Promise<void> | undefined;
  #scratch = new WordSet();

  constructor(source: TextSource) {
    this.#source = source;
  }

  /** Returns the files that contain every word of a name, sorted by path; `undefined` for a name without words. */
  async mentioning(name: string): Promise<readonly string[] | undefined> {
    const words = wordsOfName(name);
    if (words.length === 0) return undefined;
    await this.#catchUp();
    return this.#lookUp(name, words).files();
  }

  /**
   * Like `mentioning`, but the words may be parts of longer ones, and case does not matter. The index has only whole
   * words, so this reads every file; the answer is kept until something changes.
   */
  async containing(name: string): Promise<readonly string[] | undefined> {
    const parts = searchedParts(name);
    if (parts.length === 0) return undefined;
    const key = parts.join(' ');
    const known = this.#contained.get(key) ?? this.#readFor(parts);
    this.#contained.set(key, known);
    return known;
  }

  /** Returns words that resemble one, the likeliest first. Reads texts until it has read enough of them. */
  async resembling(word: string): Promise<readonly string[]> {
    const words = new Set<string>();
    let left: number = limits.resembling.bytes;
    await eachInSlices([...this.#source.files()], (path) => {
      const text = left > 0 && !holdsSecrets(path) ? this.#source.read(path) : undefined;
      left -= text?.length ?? 0;
      if (text) for (const near of wordsLike(decoder.decode(text), word)) words.add(near);
    });
    return nearestNames(word, [...words].sort(), limits.resembling.words);
  }

  async #readFor(parts: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    await eachInSlices([...this.#source.files()], (path) => {
      const text = this.#source.read(path);
      if (text && containsParts(decoder.decode(text), parts)) found.push(path);
    });
    return found.sort();
  }

  /** Like `mentioning`, but without a wait: only if the name was asked for before and nothing has changed since. */
  cached(name: string): readonly string[] | undefined {
    return this.#isCurrent ? this.#asked.peek(name)?.files() : undefined;
  }

  get #isCurrent(): boolean {
    return !this.#unlisted && this.#unread.size === 0 && this.#reading === undefined;
  }

  /** Records changes on the disk; the files are read when next needed. */
  note(changes: readonly Change[]): void {
    this.#contained.clear();
    // Before the first question there is nothing that could be outdated.
    if (this.#unlisted && this.#words.size === 0) return;
    if (changesFiles(changes)) this.#unlisted = true;
    for (const { path } of changes) if (this.#words.has(path)) this.#unread.add(path);
  }

  async #catchUp(): Promise<void> {
    while (!this.#isCurrent) {
      this.#reading ??= this.#readAll().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #readAll(): Promise<void> {
    if (this.#unlisted) this.#list();
    let pause = performance.now() + limits.scan.slice;
    for (const path of this.#unread) {
      this.#unread.delete(path);
      if (this.#source.isFile(path)) this.#read(path);
      else this.#forget(path);
      if (performance.now() < pause) continue;
      await nextTurn();
      pause = performance.now() + limits.scan.slice;
    }
    this.#scratch = new WordSet();
  }

  #list(): void {
    this.#unlisted = false;
    for (const path of this.#words.keys()) if (!this.#source.isFile(path)) this.#forget(path);
    for (const path of this.#source.files()) if (!this.#words.has(path)) this.#unread.add(path);
  }

  #read(path: string): void {
    const bytes = this.#source.read(path);
    const words = bytes ? wordHashes(bytes, this.#scratch) : noWords;
    this.#words.set(path, words);
    for (const [, asked] of this.#asked) asked.update(path, containsAll(words, asked.words));
  }

  #forget(path: string): void {
    this.#words.delete(path);
    this.#unread.delete(path);
    for (const [, asked] of this.#asked) asked.update(path, false);
  }

  #lookUp(name: string, words: readonly number[]): AskedName {
    const known = this.#asked.get(name);
    if (known) return known;
    const asked = new AskedName(words, this.#words);
    this.#asked.set(name, asked);
    return asked;
  }
}

/** A name that was asked for; its files are kept current rather than searched again. */
class AskedName {
  readonly words: readonly number[];
  readonly #paths = new Set<string>();
  #ordered: readonly string[] | undefined;

  constructor(words: readonly number[], texts: ReadonlyMap<string, Uint32Array>) {
    this.words = words;
    for (const [path, hashes] of texts) if (containsAll(hashes, words)) this.#paths.add(path);
  }

  update(path: string, mentions: boolean): void {
    if (mentions === this.#paths.has(path)) return;
    if (mentions) this.#paths.add(path);
    else this.#paths.delete(path);
    this.#ordered = undefined;
  }

  files(): readonly string[] {
    this.#ordered ??= [...this.#paths].sort();
    return this.#ordered;
  }
}

const decoder = new TextDecoder();

const noWords = new Uint32Array(0);

function containsAll(hashes: Uint32Array, words: readonly number[]): boolean {
  return words.every((word) => contains(hashes, word));
}

function contains(hashes: Uint32Array, word: number): boolean {
  let from = 0;
  let to = hashes.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((hashes[middle] ?? 0) < word) from = middle + 1;
    else to = middle;
  }
  return hashes[from] === word;
}
