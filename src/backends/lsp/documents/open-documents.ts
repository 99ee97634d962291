import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';

/** What a server was last sent of a document that is open. */
export interface OpenDocument {
  version: number;
  /** The first version of those since which neither this text nor anything else that the server knows is another. */
  since: number;
  /** How often it was sent again since then, with nothing new, and when last. */
  repeats: number;
  sentTime: number;
  hash: string;
  /** Whether the file has changed since. */
  dirty: boolean;
  /** Whether what the server says of this version may be of a time when it had other texts. */
  ambiguous: boolean;
  /** How much of what concerns all the server had been told when it was last sent. */
  sentAt: number;
}

/** Remembers which documents one server has open, and under which versions. */
export class OpenDocuments {
  /** Bounded by who closes them, since some have to stay open. */
  readonly #open = new BoundedCache<OpenDocument>();
  /** The last version of what is closed: what a server says late of that is not taken for what was opened anew. */
  readonly #versions = new Map<string, number>();

  get size(): number {
    return this.#open.size;
  }

  /** The least recently used first. */
  get paths(): readonly string[] {
    return this.#open.keys;
  }

  /** What has changed on the disk since it was sent. */
  get stale(): readonly string[] {
    return [...this.#open].filter(([, { dirty }]) => dirty).map(([path]) => path);
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.peek(path);
  }

  nextVersion(path: string): number {
    return (this.#open.peek(path)?.version ?? this.#versions.get(path) ?? 0) + 1;
  }

  add(path: string, sent: Pick<OpenDocument, 'version' | 'hash' | 'sentAt'>): void {
    const first = { since: sent.version, repeats: 0, sentTime: performance.now() };
    this.#open.set(path, { ...sent, ...first, dirty: false, ambiguous: false });
  }

  remove(path: string): void {
    this.#versions.set(path, this.#open.peek(path)?.version ?? 0);
    this.#open.delete(path);
  }

  /** Marks a document as just used; tells whether it is open and current. */
  touch(path: string): boolean {
    const open = this.#open.get(path);
    return open !== undefined && !open.dirty && !open.ambiguous;
  }

  mark(mark: 'dirty' | 'ambiguous', value: boolean, paths: Iterable<string> = this.paths): void {
    for (const path of paths) {
      const open = this.#open.peek(path);
      if (open) open[mark] = value;
    }
  }
}
