import { limits } from '../../../core/limits.ts';

/** When a crashed server may be started: now, after a backoff, or when the open circuit breaker allows it. */
export type RestartVerdict =
  | { readonly kind: 'start' }
  | { readonly kind: 'wait'; readonly time: number }
  | { readonly kind: 'open'; readonly time: number };

/** Counts crashes: restarts back off, and after too many in a row a circuit breaker opens for a while. */
export class RestartPolicy {
  readonly #now: () => number;
  readonly #random: () => number;
  #crashes: number[] = [];
  #notBefore = 0;
  #total = 0;

  constructor(now: () => number = () => performance.now(), random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  /** Total number of crashes; `reset` does not change it. */
  get crashes(): number {
    return this.#total;
  }

  crashed(): void {
    const now = this.#now();
    this.#total += 1;
    this.#crashes = [...this.#crashes.filter((at) => now - at < limits.restart.window), now];
    const most = Math.min(
      limits.restart.backoffFirst * 2 ** (this.#crashes.length - 1),
      limits.restart.backoffMost,
    );
    // Full jitter, so that servers that crashed together do not restart together.
    this.#notBefore = now + (this.#isOpen ? limits.restart.halfOpen : most * this.#random());
  }

  verdict(): RestartVerdict {
    const time = this.#notBefore - this.#now();
    if (time <= 0) return { kind: 'start' };
    return this.#isOpen ? { kind: 'open', time } : { kind: 'wait', time };
  }

  /** Forgets the crashes, for a requested restart. */
  reset(): void {
    this.#crashes = [];
    this.#notBefore = 0;
  }

  get #isOpen(): boolean {
    return this.#crashes.length >= limits.restart.crashes;
  }
}
