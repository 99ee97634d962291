import { ActiveSet } from './active-set.ts';
import { type CancelSignal, CancelSource } from './cancellation.ts';
import { onAbort } from './on-abort.ts';

/** A call in progress: it can be cancelled, and is its own signal. */
export class CallInProgress extends CancelSource {
  /** The id that its caller gave it. */
  readonly id: string | number | undefined;
  /** Who asked, where there are several. */
  readonly owner: string | undefined;
  /** Takes it out of its register; absent while it is in none. */
  leave: (() => void) | undefined;

  constructor({ id, owner }: { readonly id?: string | number; readonly owner?: string | undefined } = {}) {
    super();
    this.id = id;
    this.owner = owner;
  }
}

/** How many calls a register is full with, and who hears that one has left it. */
export interface RegisterOptions {
  readonly most?: number;
  readonly mostOfOwner?: number;
  /** Called with the number that is left. */
  readonly onRemoved?: ((left: number) => void) | undefined;
}

/**
 * The register of calls in progress: they can be counted, cancelled by id, waited for, and ended all together. Ids and
 * owners are looked for among all of them, which are few; a table of them would outlive its calls, as `ActiveSet` explains.
 */
export class CallsInProgress<C extends CallInProgress = CallInProgress> implements Iterable<C> {
  readonly #calls = new ActiveSet<C>();
  readonly #options: RegisterOptions;
  /** Those who wait until none is in progress. */
  readonly #waiting: (() => void)[] = [];
  /** Why calls are cancelled that come after the end. */
  #why: (() => unknown) | undefined;

  constructor(options: RegisterOptions = {}) {
    this.#options = options;
  }

  get count(): number {
    return this.#calls.size;
  }

  /** Whether there are as many as there may be. */
  get isFull(): boolean {
    return this.count >= (this.#options.most ?? Number.POSITIVE_INFINITY);
  }

  /** Whether an owner has as many as one may have. */
  isFullFor(owner: string | undefined): boolean {
    const { mostOfOwner } = this.#options;
    if (mostOfOwner === undefined || owner === undefined) return false;
    let count = 0;
    for (const call of this.#calls) if (call.owner === owner) count += 1;
    return count >= mostOfOwner;
  }

  [Symbol.iterator](): Iterator<C> {
    return this.#calls[Symbol.iterator]();
  }

  /** Returns the call of an id; those without one are not found. */
  find(id: unknown): C | undefined {
    if (id !== undefined) for (const call of this.#calls) if (call.id === id) return call;
    return undefined;
  }

  /** Registers a call, full or not, until it is removed. */
  add(call: C): C {
    call.leave = this.#calls.add(call);
    if (this.#why) call.abort(this.#why());
    return call;
  }

  /** Returns whether the call was in progress. */
  remove(call: C | undefined): boolean {
    if (!call?.leave) return false;
    call.leave();
    call.leave = undefined;
    this.#options.onRemoved?.(this.count);
    if (this.count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    return true;
  }

  /** Registers a call while `work` goes on, and cancels it when its caller does. */
  async run<T>(call: C, work: (call: C) => Promise<T>, cancelled?: CancelSignal): Promise<T> {
    const cancel = () => call.abort(cancelled?.reason);
    this.add(call);
    if (cancelled?.aborted) cancel();
    const unhear = cancelled && onAbort(cancelled, cancel);
    try {
      return await work(call);
    } finally {
      unhear?.();
      this.remove(call);
    }
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Cancels all calls, those to come too; resolves when none is in progress. */
  end(why: () => unknown = () => undefined): Promise<void> {
    this.#why ??= why;
    for (const call of this.#calls) call.abort(why());
    return this.idle();
  }
}
