/** Bounds of a cache. Default: unbounded. */
interface BoundedCacheOptions<V, K> {
  /** Most entries. */
  readonly count?: number;
  /** Bound on the bytes, which several caches may share. */
  readonly quota?: SharedQuota;
  /** Milliseconds after which an unused entry is dropped. */
  readonly unused?: number;
  /** Clock in milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
  /** Called with each entry that was evicted to make room. */
  readonly onEvict?: (value: V, key: K) => void;
}

interface Entry<V, K> {
  readonly key: K;
  readonly value: V;
  readonly bytes: number;
  used: number;
  older: Entry<V, K> | undefined;
  newer: Entry<V, K> | undefined;
}

/** An LRU cache by linked list: a `Map` walks over all deleted entries to find the first (decision 39). */
export class BoundedCache<V, K = string> implements QuotaUser, Iterable<readonly [K, V]> {
  readonly #options: BoundedCacheOptions<V, K>;
  readonly #entries = new Map<K, Entry<V, K>>();
  #oldest: Entry<V, K> | undefined;
  #newest: Entry<V, K> | undefined;
  #bytes = 0;
  #isClosed = false;

  constructor(options: BoundedCacheOptions<V, K> = {}) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keys, the least recently used first. */
  get keys(): readonly K[] {
    return [...this].map(([key]) => key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Returns the value of a key and marks it as used. */
  get(key: K): V | undefined {
    this.#dropUnused();
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry !== this.#newest) {
      this.#detach(entry);
      this.#attach(entry);
    }
    entry.used = this.#now();
    return entry.value;
  }

  /** Like `get`, but does not count as use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Sets the value of a key, and evicts other entries if they exceed a bound, but never this one. */
  set(key: K, value: V, bytes = 0): void {
    if (this.#isClosed) return;
    this.#dropUnused();
    this.delete(key);
    const entry = { key, value, bytes, used: this.#now(), older: undefined, newer: undefined };
    this.#entries.set(key, entry);
    this.#attach(entry);
    this.#bytes += bytes;
    const { count, quota } = this.#options;
    if (count !== undefined && this.size > count) this.dropOldest();
    quota?.makeRoom(this);
  }

  delete(key: K): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.delete(key);
    this.#detach(entry);
    this.#bytes -= entry.bytes;
    return true;
  }

  dropOldest(): void {
    const oldest = this.#oldest;
    if (!oldest) return;
    this.delete(oldest.key);
    this.#options.onEvict?.(oldest.value, oldest.key);
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
    this.#bytes = 0;
  }

  /** Drops all entries and ignores later ones. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  /** Entries, the least recently used first; the current one may be deleted or used during the iteration. */
  *[Symbol.iterator](): Iterator<readonly [K, V]> {
    let next = this.#oldest;
    while (next) {
      const { key, value, newer } = next;
      next = newer;
      yield [key, value];
    }
  }

  #attach(entry: Entry<V, K>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #detach({ older, newer }: Entry<V, K>): void {
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }

  #dropUnused(): void {
    const { unused } = this.#options;
    if (unused === undefined) return;
    while (this.#oldest && this.#now() - this.#oldest.used > unused) this.delete(this.#oldest.key);
  }

  /** Returns the time, or 0 if no entry expires. */
  #now(): number {
    const { unused, now = () => performance.now() } = this.#options;
    return unused === undefined ? 0 : now();
  }
}

/** A cache that takes its bytes from a quota. */
interface QuotaUser {
  readonly size: number;
  readonly bytes: number;
  dropOldest(): void;
}

/**
 * Bytes that several caches share. If they are used up, caches above an equal share evict entries, the
 * largest first: no cache can evict what another keeps within its share, and a single cache may use all.
 */
export class SharedQuota {
  readonly #most: number;
  readonly #users = new Set<QuotaUser>();

  /** @param most Most bytes of all caches; the newest entry may exceed them until the next one is added. */
  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    let bytes = 0;
    for (const user of this.#users) bytes += user.bytes;
    return bytes;
  }

  /** Makes room for the newest entry of a cache, which is not evicted itself. */
  makeRoom(newcomer: QuotaUser): void {
    this.#users.add(newcomer);
    while (this.bytes > this.#most) {
      const giving = this.#largest(newcomer);
      if (!giving) return;
      giving.dropOldest();
    }
  }

  /** Returns the largest cache that is above its share and can evict an entry. */
  #largest(newcomer: QuotaUser): QuotaUser | undefined {
    for (const user of this.#users) if (user.bytes === 0) this.#users.delete(user);
    const share = this.#most / this.#users.size;
    let largest: QuotaUser | undefined;
    for (const user of this.#users) {
      const canGive = user.bytes > share && !(user === newcomer && user.size === 1);
      if (canGive && user.bytes > (largest?.bytes ?? 0)) largest = user;
    }
    return largest;
  }
}
