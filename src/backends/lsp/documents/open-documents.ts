import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';

/** The state of an open document at a server. */
export interface OpenDocument {
  version: number;
  /** The first version since which neither this text nor anything else the server knows has changed. */
  since: number;
  /** Number of resends since then without news; `sentTime` is the last send. */
  repeats: number;
  sentTime: number;
  hash: string;
  /** See `SourceFacts`. */
  readonly head: string | undefined;
  /** The file has changed since. */
  dirty: boolean;
  /** Reports about this version may date from when the server had other texts. */
  ambiguous: boolean;
  /** Value of the sender's counter of changes that concern all files when this was last sent. */
  sentAt: number;
}

/** Tracks which documents one server has open, and their versions. */
export class OpenDocuments {
  /** Bounded by the code that closes documents, since some have to stay open. */
  readonly #open = new BoundedCache<OpenDocument>();
  /** Last versions of closed documents: a late report about one must not pass for the document reopened. */
  readonly #versions = new Map<string, number>();

  get size(): number {
    return this.#open.size;
  }

  /** Least recently used first. */
  get paths(): readonly string[] {
    return this.#open.keys;
  }

  /** Documents that have changed on disk since they were sent. */
  get stale(): readonly string[] {
    return [...this.#open].filter(([, { dirty }]) => dirty).map(([path]) => path);
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.peek(path);
  }

  nextVersion(path: string): number {
    return (this.#open.peek(path)?.version ?? this.#versions.get(path) ?? 0) + 1;
  }

  add(path: string, sent: Pick<OpenDocument, 'version' | 'hash' | 'head' | 'sentAt'>): void {
    const first = { since: sent.version, repeats: 0, sentTime: performance.now() };
    this.#open.set(path, { ...sent, ...first, dirty: false, ambiguous: false });
  }

  remove(path: string): void {
    this.#versions.set(path, this.#open.peek(path)?.version ?? 0);
    this.#open.delete(path);
  }

  /** Marks a document as just used; returns whether it is open and current. */
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
