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
  #clock = 0;
  #toldAt = 0;
  #waiting: (() => void)[] = [];

  /** Takes note that the server was told something new: what it published before may be stale. */
  told(): void {
    this.#toldAt = ++this.#clock;
  }

  publish(path: string, params: Json): void {
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

  /** Reads a pulled report; `unchanged` means the previous one. */
  pulled(path: string, report: unknown): readonly unknown[] {
    const { kind, items, resultId } = object(report);
    const known = this.#pulled.get(path)?.items;
    const present = kind === 'unchanged' && known ? known : list(items);
    this.#pulled.set(path, { resultId: text(resultId), items: present });
    return present;
  }

  paths(): readonly string[] {
    return [...new Set([...this.#published.keys(), ...this.#pulled.keys()])];
  }
}
