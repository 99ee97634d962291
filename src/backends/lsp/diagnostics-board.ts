import { type Json, list, number, object, text } from './json.ts';

/** What a server last published about one file. */
interface Published {
  readonly version: number | undefined;
  readonly items: readonly unknown[];
  readonly at: number;
  /** Whether the server was quiet for a while afterwards. */
  readonly settled: boolean;
}

/** Holds what a server said of the problems of files, and whether it said so before or after what it was told last. */
export class DiagnosticsBoard {
  readonly #published = new Map<string, Published>();
  readonly #pulled = new Map<
    string,
    { readonly resultId: string | undefined; readonly items: readonly unknown[] }
  >();
  /** Why the server could not check a file. */
  readonly #failures = new Map<string, string>();
  /** What is known of the disk's text, where this is about another. */
  #disk: DiagnosticsBoard | undefined;
  #clock = 0;
  #toldAt = 0;
  #waiting: (() => void)[] = [];

  /** A board for text that is not on the disk: all that it knows is which versions the server has spoken about. */
  fork(): DiagnosticsBoard {
    const fork = new DiagnosticsBoard();
    fork.#disk = this;
    for (const [path, { version }] of this.#published)
      fork.#published.set(path, { version, items: [], at: 0, settled: false });
    return fork;
  }

  /** The board of the disk's text. */
  get disk(): DiagnosticsBoard {
    return this.#disk ?? this;
  }

  /** Whether what the server publishes names the version that it is about, as far as it was heard. */
  get tellsVersions(): boolean {
    return [...this.#published.values()].some(({ version }) => version !== undefined);
  }

  /** Takes note that the server was told something new: what it published before, of that file or of all, may be stale. */
  told(path?: string): void {
    const found = path === undefined ? undefined : this.#published.get(path);
    if (path === undefined) this.#toldAt = ++this.#clock;
    if (path !== undefined && found) this.#published.set(path, { ...found, at: 0 });
  }

  publish(path: string, params: Json): void {
    // What is no list says nothing, least of all that there are no problems.
    if (!Array.isArray(params.diagnostics)) return;
    const version = number(params.version);
    this.#published.set(path, {
      version,
      items: list(params.diagnostics),
      at: ++this.#clock,
      settled: false,
    });
    this.wake();
  }

  /** The published problems; `fresh` where they came after all that the server was told, for this version. */
  published(
    path: string,
    version: number | undefined,
  ): { readonly items: readonly unknown[]; readonly fresh: boolean } | undefined {
    const found = this.#published.get(path);
    if (!found) return undefined;
    const ours = found.version === undefined || version === undefined || found.version >= version;
    return { items: found.items, fresh: ours && found.at > this.#toldAt };
  }

  /** Takes note that the server could check a file, or why not. */
  judge(path: string, failure: string | undefined): void {
    if (failure === undefined) this.#failures.delete(path);
    else this.#failures.set(path, failure);
  }

  failure(path: string): string | undefined {
    return this.#failures.get(path);
  }

  /** Whether the server has published anything about a version or a later one. */
  hasSpoken(path: string, version: number | undefined): boolean {
    const found = this.#published.get(path);
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
    const found = this.#published.get(path);
    if (found) this.#published.set(path, { ...found, settled: true });
  }

  settled(path: string): boolean {
    return this.#published.get(path)?.settled === true;
  }

  previousResultId(path: string): string | undefined {
    return this.#pulled.get(path)?.resultId;
  }

  /** Reads a pulled report, where `unchanged` means the previous one; `undefined` where it tells nothing. */
  pulled(path: string, report: unknown): readonly unknown[] | undefined {
    const { kind, items, resultId } = object(report);
    const present = kind === 'unchanged' ? this.#pulled.get(path)?.items : items;
    if (!Array.isArray(present)) return undefined;
    this.#pulled.set(path, { resultId: text(resultId), items: present });
    return present;
  }

  knows(path: string): boolean {
    return this.#published.has(path) || this.#pulled.has(path);
  }

  /** Drops what is known of a file that is gone. */
  forget(path: string): void {
    this.#disk?.forget(path);
    this.#published.delete(path);
    this.#pulled.delete(path);
    this.#failures.delete(path);
  }

  paths(): readonly string[] {
    return [...new Set([...this.#published.keys(), ...this.#pulled.keys()])];
  }
}
