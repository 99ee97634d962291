import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import { type Json, list, number } from '../../../core/runtime/json.ts';
import { ReportStore } from './report-store.ts';

/** The last diagnostics that a server published for one file. */
interface Published {
  version: number | undefined;
  readonly items: readonly unknown[];
  at: number;
  /** True if the server was quiet for a while afterwards. */
  settled: boolean;
  /** True if the file has changed on the disk since. */
  touched: boolean;
}

/** Why a server could not check a file. */
interface CheckFailure {
  readonly reason: string;
  /** True if it may be able to as soon as it is sent the file again. */
  readonly mayPass: boolean;
}

/** Stores the diagnostics of a server, and whether they came before or after the last message to it. */
export class DiagnosticsStore {
  /** Replies to pulls for a file, with the related documents that came along, by identifier. */
  readonly #pulled = new Map<string, ReportStore>();
  /** Replies to pulls for the whole workspace, by identifier. */
  readonly #surveyed = new Map<string, ReportStore>();
  readonly #published = new BoundedCache<Published>({ count: limits.diagnostics.files });
  /** Files that are not open, for which an empty list was published. */
  readonly #nothing = new BoundedCache<true>({ count: limits.diagnostics.files });
  /** Why the server could not check a file, by path. */
  readonly #failures = new Map<string, CheckFailure>();
  /** The store for the text on the disk, if this one is for an overlay. */
  #disk: DiagnosticsStore | undefined;
  #publishesEmptyLists = false;
  #spokeAt = 0;
  #clock = 0;
  #toldAt = 0;
  /** True if the server was sent something since it last asked for a refresh. */
  #isTold = false;
  #ownRefreshes = 0;
  #waiting: (() => void)[] = [];

  /** Returns a store for text that is not on the disk; it knows only the versions published so far. */
  forOverlay(): DiagnosticsStore {
    const fork = new DiagnosticsStore();
    fork.#disk = this;
    for (const [path, { version }] of this.#published)
      fork.#published.set(path, { version, items: [], at: 0, settled: false, touched: false });
    return fork;
  }

  get disk(): DiagnosticsStore {
    return this.#disk ?? this;
  }

  /** True if any stored publication names the version that it is about. */
  get tellsVersions(): boolean {
    return [...this.#published].some(([, { version }]) => version !== undefined);
  }

  /** True if the server publishes empty lists for open files: then silence does not mean "no problems". */
  get publishesEmptyLists(): boolean {
    return this.disk.#publishesEmptyLists;
  }

  /** Changes whenever the server is sent something that may outdate what it published for all files. */
  get toldAt(): number {
    return this.#toldAt;
  }

  /** Time of the last publication for any file. */
  get spokeAt(): number {
    return this.#spokeAt;
  }

  /** Marks what was published for a file, or for all, as stale: the server was sent something new. */
  invalidate(path?: string): void {
    const found = path === undefined ? undefined : this.#published.peek(path);
    this.disk.#isTold = true;
    if (path === undefined) this.#toldAt = ++this.#clock;
    if (found) found.at = 0;
  }

  /** Marks everything as stale because the server asked for it. Servers also ask after each thing that they are sent. */
  refresh(): void {
    if (!this.disk.#isTold) this.disk.#ownRefreshes += 1;
    this.invalidate();
    this.disk.#isTold = false;
  }

  /** Counts the refreshes that follow nothing that the server was sent: what it said before may not hold. */
  get ownRefreshes(): number {
    return this.disk.#ownRefreshes;
  }

  /** The reports about files for one identifier of a diagnostics provider. */
  pulled(identifier: string): ReportStore {
    return storeOf(this.#pulled, identifier);
  }

  surveyed(identifier: string): ReportStore {
    return storeOf(this.#surveyed, identifier);
  }

  /** Records that a file has changed on the disk. */
  touch(path: string): void {
    this.#disk?.touch(path);
    const found = this.#published.peek(path);
    if (found) found.touched = true;
  }

  /**
   * Stores a publication; `present` is the version of the open document. Returns whether it is news.
   * @param isPast True if it is about the file before the document was opened.
   */
  publish(path: string, params: Json, present?: number, isPast = false): boolean {
    // Ignore anything but a list: it does not mean that there are no problems.
    if (!Array.isArray(params.diagnostics)) return false;
    this.#spokeAt = performance.now();
    const version = number(params.version);
    if (this.#isLate(path, version, present)) return false;
    const items = list(params.diagnostics);
    if (items.length === 0 && present !== undefined) this.disk.#publishesEmptyLists = true;
    const before = this.#published.peek(path);
    // An equal list for an unchanged file is not news, as after a question about another text of it.
    const isNews = !before || before.touched || !isDeepStrictEqual(before.items, items);
    const at = isPast ? 0 : ++this.#clock;
    this.#published.set(path, { version, items, at, settled: false, touched: false });
    this.wake();
    return isNews;
  }

  /** The published diagnostics; `fresh` if for this version and newer than the last message to the server. */
  published(
    path: string,
    version: number | undefined,
  ): (Pick<Published, 'items' | 'touched'> & { readonly fresh: boolean }) | undefined {
    const found = this.#published.peek(path);
    if (!found) return undefined;
    const ours = found.version === undefined || version === undefined || found.version >= version;
    return { items: found.items, touched: found.touched, fresh: ours && found.at > this.#toldAt };
  }

  /** Records why the server could not check a file; `undefined` if it could. */
  recordFailure(path: string, failure: CheckFailure | undefined): void {
    if (failure === undefined) this.#failures.delete(path);
    else this.#failures.set(path, failure);
  }

  failure(path: string): CheckFailure | undefined {
    return this.#failures.get(path);
  }

  /** True if the server has published diagnostics for this version or a later one. */
  hasSpoken(path: string, version: number | undefined): boolean {
    const found = this.#published.peek(path);
    return found !== undefined && (found.version ?? 0) >= (version ?? 0);
  }

  /** Records that the server published an empty list for a file that is neither open nor known. */
  noteNothing(path: string): void {
    this.#nothing.set(path, true);
    this.wake();
  }

  /** True if the server has published anything for a file, even that there is nothing. */
  isHeardOf(path: string): boolean {
    return this.#nothing.has(path) || this.#published.has(path);
  }

  /** Resolves at the next publication for any file, or when the server has ended. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves all pending `next` calls. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Records that the server has been quiet since its publication for a file. */
  settle(path: string): void {
    const found = this.#published.peek(path);
    if (found) found.settled = true;
  }

  /** Records that the last publication still holds, or that there are no problems, though the server did not say so. */
  confirm(path: string): void {
    const items = this.#published.peek(path)?.items ?? [];
    const touched = this.#published.peek(path)?.touched ?? false;
    this.#published.set(path, { version: undefined, items, at: ++this.#clock, settled: true, touched });
  }

  settled(path: string): boolean {
    return this.#published.peek(path)?.settled === true;
  }

  knows(path: string): boolean {
    return this.#published.has(path) || [...this.#pulled.values()].some((reports) => reports.has(path));
  }

  /** Drops what the server published last about a file. */
  retract(path: string): void {
    this.#published.delete(path);
    this.#failures.delete(path);
  }

  /** Drops everything known about a deleted file. */
  forget(path: string): void {
    this.#disk?.forget(path);
    this.retract(path);
    for (const reports of [...this.#pulled.values(), ...this.#surveyed.values()]) reports.forget(path);
  }

  paths(): readonly string[] {
    const pulled = [...this.#pulled.values()].flatMap(({ paths }) => paths);
    return [...new Set([...this.#published.keys, ...pulled])];
  }

  /** The paths whose latest diagnostics are not empty. */
  pathsWithProblems(): readonly string[] {
    const shelves = [...this.#pulled.values()];
    const isTroubled = (path: string) =>
      [this.#published.peek(path)?.items, ...shelves.map((reports) => reports.items(path))].some(
        (items = []) => items.length > 0,
      );
    return this.paths().filter(isTroubled);
  }

  /** True if it is about an older text than the stored publication: it may have been delayed. */
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
