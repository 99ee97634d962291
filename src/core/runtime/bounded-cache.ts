/** How much is kept, and for how long. */
interface BoundedCacheOptions {
  readonly room: SharedQuota;
  /** How many things. */
  readonly most: number;
  /** Milliseconds after which a thing that nobody used is forgotten; by default never. */
  readonly unused?: number;
  /** Counts milliseconds. */
  readonly now?: () => number;
}

/** Keeps things under names; the least recently used are forgotten first, and those that nobody has used for long. */
export class BoundedCache<T> implements QuotaUser {
  readonly #kept = new Map<string, { readonly thing: T; readonly bytes: number; used: number }>();
  readonly #room: SharedQuota;
  readonly #most: number;
  readonly #unused: number;
  readonly #now: () => number;
  #bytes = 0;
  #isClosed = false;

  constructor({
    room,
    most,
    unused = Number.POSITIVE_INFINITY,
    now = () => performance.now(),
  }: BoundedCacheOptions) {
    this.#room = room;
    this.#most = most;
    this.#unused = unused;
    this.#now = now;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a thing, in place of one of the same name. */
  keep(name: string, thing: T, bytes: number): void {
    if (this.#isClosed) return;
    this.#dropUnused();
    this.drop(name);
    this.#kept.set(name, { thing, bytes, used: this.#now() });
    this.#bytes += bytes;
    if (this.size > this.#most) this.dropOldest();
    this.#room.makeRoom(this);
  }

  /** The thing of a name, which counts as used. */
  find(name: string): T | undefined {
    this.#dropUnused();
    const found = this.#kept.get(name);
    if (!found) return undefined;
    found.used = this.#now();
    this.#kept.delete(name);
    this.#kept.set(name, found);
    return found.thing;
  }

  drop(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }

  dropOldest(): void {
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.drop(oldest);
  }

  /** Forgets everything, and keeps nothing more: whoever it was kept for has gone. */
  close(): void {
    this.#isClosed = true;
    this.#kept.clear();
    this.#bytes = 0;
  }

  #dropUnused(): void {
    for (const [name, { used }] of this.#kept) {
      if (this.#now() - used <= this.#unused) break;
      this.drop(name);
    }
  }
}

/** Who keeps things in a room. */
interface QuotaUser {
  /** How many things it keeps. */
  readonly size: number;
  readonly bytes: number;
  /** Forgets what was not used for longest. */
  dropOldest(): void;
}

/**
 * Bytes that several share. Where they are used up, who keeps more than an equal share gives way, the largest first: so
 * nobody can push out what another keeps within its share, and one who is alone has the whole.
 */
export class SharedQuota {
  readonly #most: number;
  readonly #tenants = new Set<QuotaUser>();

  /** @param most The bytes of all together; what was kept last may exceed them until the next comes. */
  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): number {
    let bytes = 0;
    for (const tenant of this.#tenants) bytes += tenant.bytes;
    return bytes;
  }

  /** Makes room for what a tenant has just kept, which itself stays. */
  makeRoom(newcomer: QuotaUser): void {
    this.#tenants.add(newcomer);
    while (this.bytes > this.#most) {
      const giving = this.#largest(newcomer);
      if (!giving) return;
      giving.dropOldest();
    }
  }

  /** The largest of those who keep more than their share and can give way. */
  #largest(newcomer: QuotaUser): QuotaUser | undefined {
    for (const tenant of this.#tenants) if (tenant.bytes === 0) this.#tenants.delete(tenant);
    const share = this.#most / this.#tenants.size;
    let largest: QuotaUser | undefined;
    for (const tenant of this.#tenants) {
      const canGive = tenant.bytes > share && !(tenant === newcomer && tenant.size === 1);
      if (canGive && tenant.bytes > (largest?.bytes ?? 0)) largest = tenant;
    }
    return largest;
  }
}
