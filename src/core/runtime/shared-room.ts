/** Who keeps things in a room. */
export interface Tenant {
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
export class SharedRoom {
  readonly #most: number;
  readonly #tenants = new Set<Tenant>();

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
  makeWay(newcomer: Tenant): void {
    this.#tenants.add(newcomer);
    while (this.bytes > this.#most) {
      const giving = this.#largest(newcomer);
      if (!giving) return;
      giving.dropOldest();
    }
  }

  /** The largest of those who keep more than their share and can give way. */
  #largest(newcomer: Tenant): Tenant | undefined {
    for (const tenant of this.#tenants) if (tenant.bytes === 0) this.#tenants.delete(tenant);
    const share = this.#most / this.#tenants.size;
    let largest: Tenant | undefined;
    for (const tenant of this.#tenants) {
      const canGive = tenant.bytes > share && !(tenant === newcomer && tenant.size === 1);
      if (canGive && tenant.bytes > (largest?.bytes ?? 0)) largest = tenant;
    }
    return largest;
  }
}
