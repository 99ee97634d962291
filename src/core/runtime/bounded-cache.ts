import type { SharedRoom, Tenant } from './shared-room.ts';

/** How much is kept, and for how long. */
export interface Keeping {
  readonly room: SharedRoom;
  /** How many things. */
  readonly most: number;
  /** Milliseconds after which a thing that nobody used is forgotten; by default never. */
  readonly unused?: number;
  /** Counts milliseconds. */
  readonly now?: () => number;
}

/** Keeps things under names; the least recently used are forgotten first, and those that nobody has used for long. */
export class KeptThings<T> implements Tenant {
  readonly #kept = new Map<string, { readonly thing: T; readonly bytes: number; used: number }>();
  readonly #room: SharedRoom;
  readonly #most: number;
  readonly #unused: number;
  readonly #now: () => number;
  #bytes = 0;
  #isClosed = false;

  constructor({ room, most, unused = Number.POSITIVE_INFINITY, now = () => performance.now() }: Keeping) {
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
    this.#room.makeWay(this);
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
