import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import { type Json, list, number } from '../../../core/runtime/json.ts';
import { ReportStore } from './report-store.ts';

/** What a server last published about one file. */
interface Published {
  version: number | undefined;
  readonly items: readonly unknown[];
  at: number;
  /** Whether the server was quiet for a while afterwards. */
  settled: boolean;
  /** Whether the file has changed on the disk since. */
  touched: boolean;
}

/** Holds what a server said of the problems of files, and whether it said so before or after what it was told last. */
export class DiagnosticsStore {
  /** What it answered when it was asked about a file, and what it told beside that of others, under each of its names. */
  readonly #pulled = new Map<string, ReportStore>();
  /** What it answered when it was asked about the whole workspace. */
  readonly #surveyed = new Map<string, ReportStore>();
  readonly #published = new BoundedCache<Published>({ count: limits.diagnostics.files });
  /** Why the server could not check a file. */
  readonly #failures = new Map<string, string>();
  /** What is known of the disk's text, where this is about another. */
  #disk: DiagnosticsStore | undefined;
  #publishesEmptyLists = false;
  #spokeAt = 0;
  #clock = 0;
  #toldAt = 0;
  #waiting: (() => void)[] = [];

  /** A board for text that is not on the disk: all that it knows is which versions the server has spoken about. */
  forOverlay(): DiagnosticsStore {
    const fork = new DiagnosticsStore();
    fork.#disk = this;
    for (const [path, { version }] of this.#published)
      fork.#published.set(path, { version, items: [], at: 0, settled: false, touched: false });
    return fork;
  }

  /** The board of the disk's text. */
  get disk(): DiagnosticsStore {
    return this.#disk ?? this;
  }

  /** Whether what the server publishes names the version that it is about, as far as it was heard. */
  get tellsVersions(): boolean {
    return [...this.#published].some(([, { version }]) => version !== undefined);
  }

  /** Whether the server is known to publish that an open file has no problems: then its silence is no sign of that. */
  get publishesEmptyLists(): boolean {
    return this.disk.#publishesEmptyLists;
  }

  /** When it last published anything, of any file. */
  get spokeAt(): number {
    return this.#spokeAt;
  }

  /** Takes note that the server was told something new: what it published before, of that file or of all, may be stale. */
  invalidate(path?: string): void {
    const found = path === undefined ? undefined : this.#published.peek(path);
    if (path === undefined) this.#toldAt = ++this.#clock;
    if (found) found.at = 0;
  }

  /** The reports about files that it gives under one of the names by which it is asked for problems. */
  pulled(identifier: string): ReportStore {
    return storeOf(this.#pulled, identifier);
  }

  surveyed(identifier: string): ReportStore {
    return storeOf(this.#surveyed, identifier);
  }

  /** Takes note that a file has changed on the disk. */
  touch(path: string): void {
    this.#disk?.touch(path);
    const found = this.#published.peek(path);
    if (found) found.touched = true;
  }

  /**
   * Takes what the server publishes of a file, whose text it now knows under a version where it is open. Tells whether
   * that is news: what it says again of a file that has not changed is none, as when another text of it was asked about.
   */
  publish(path: string, params: Json, present?: number): boolean {
    // What is no list says nothing, least of all that there are no problems.
    if (!Array.isArray(params.diagnostics)) return false;
    this.#spokeAt = performance.now();
    const version = number(params.version);
    if (this.#isLate(path, version, present)) return false;
    const items = list(params.diagnostics);
    if (items.length === 0 && present !== undefined) this.disk.#publishesEmptyLists = true;
    const before = this.#published.peek(path);
    const isNews = !before || before.touched || !isDeepStrictEqual(before.items, items);
    this.#published.set(path, { version, items, at: ++this.#clock, settled: false, touched: false });
    this.wake();
    return isNews;
  }

  /** The published problems; `fresh` where they came after all that the server was told, for this version. */
  published(
    path: string,
    version: number | undefined,
  ): (Pick<Published, 'items' | 'touched'> & { readonly fresh: boolean }) | undefined {
    const found = this.#published.peek(path);
    if (!found) return undefined;
    const ours = found.version === undefined || version === undefined || found.version >= version;
    return { items: found.items, touched: found.touched, fresh: ours && found.at > this.#toldAt };
  }

  /** Takes note that the server could check a file, or why not. */
  recordFailure(path: string, failure: string | undefined): void {
    if (failure === undefined) this.#failures.delete(path);
    else this.#failures.set(path, failure);
  }

  failure(path: string): string | undefined {
    return this.#failures.get(path);
  }

  /** Whether the server has published anything about a version or a later one. */
  hasSpoken(path: string, version: number | undefined): boolean {
    const found = this.#published.peek(path);
    return found !== undefined && (found.version ?? 0) >= (version ?? 0);
  }

  /** Resolves at the next publication about any file, or when the server has ended. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets everybody who waits look again. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Takes note that the server has been quiet since it published what is known of a file. */
  settle(path: string): void {
    const found = this.#published.peek(path);
    if (found) found.settled = true;
  }

  /** Takes note that what was published last is still so, though the server did not say it again. */
  confirm(path: string): void {
    const found = this.#published.peek(path);
    if (!found) return;
    found.version = undefined;
    found.at = ++this.#clock;
    found.settled = true;
  }

  settled(path: string): boolean {
    return this.#published.peek(path)?.settled === true;
  }

  knows(path: string): boolean {
    return this.#published.has(path) || [...this.#pulled.values()].some((reports) => reports.has(path));
  }

  /** Drops what is known of a file that is gone. */
  forget(path: string): void {
    this.#disk?.forget(path);
    this.#published.delete(path);
    for (const reports of [...this.#pulled.values(), ...this.#surveyed.values()]) reports.forget(path);
    this.#failures.delete(path);
  }

  paths(): readonly string[] {
    const pulled = [...this.#pulled.values()].flatMap(({ paths }) => paths);
    return [...new Set([...this.#published.keys, ...pulled])];
  }

  /** Those of them with at least one problem, as it was told last. */
  pathsWithProblems(): readonly string[] {
    const shelves = [...this.#pulled.values()];
    const isTroubled = (path: string) =>
      [this.#published.peek(path)?.items, ...shelves.map((reports) => reports.items(path))].some(
        (items = []) => items.length > 0,
      );
    return this.paths().filter(isTroubled);
  }

  /** Whether it tells of an older text than what is known already: it may have been under way for long. */
  #isLate(path: string, version: number | undefined, present: number | undefined): boolean {
    const known = this.#published.peek(path);
    if (known === undefined || version === undefined || version >= (present ?? 0)) return false;
    return known.version === undefined || known.version > version;
  }
}

function storeOf(shelves: Map<string, ReportStore>, identifier: string): ReportStore {
  const reports = shelves.get(identifier) ?? new ReportStore();
  shelves.set(identifier, reports);
  return reports;
}
