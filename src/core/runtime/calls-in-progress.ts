import { ActiveSet } from './active-set.ts';
import { type CancelSignal, CancelSource } from './cancellation.ts';
import { onAbort } from './on-abort.ts';

/** A call in progress: a cancellable call that is its own signal. */
export class CallInProgress extends CancelSource {
  /** Id from the caller. */
  readonly id: string | number | undefined;
  /** The caller, if there may be several. */
  readonly owner: string | undefined;
  /** Removes it from its register; absent while it is in none. */
  leave: (() => void) | undefined;

  constructor({ id, owner }: { readonly id?: string | number; readonly owner?: string | undefined } = {}) {
    super();
    this.id = id;
    this.owner = owner;
  }
}

/** Bounds of a register of calls, and a listener for removed calls. */
interface RegisterOptions {
  readonly most?: number;
  readonly mostOfOwner?: number;
  /** Called with the number of calls that remain. */
  readonly onRemoved?: ((left: number) => void) | undefined;
}

/**
 * A register of calls in progress: counts them, finds them by id, waits for them, and ends all of them. It
 * scans all calls for an id: they are few, and a table of them would outlive them, as `ActiveSet` explains.
 */
export class CallsInProgress<C extends CallInProgress = CallInProgress> implements Iterable<C> {
  readonly #calls = new ActiveSet<C>();
  readonly #countOf = new Map<string, number>();
  readonly #options: RegisterOptions;
  /** Those who wait for the place of a cancelled call, in order. */
  readonly #queue = new Set<(hasRoom: boolean) => void>();
  /** Resolvers of the waits until no call is in progress. */
  readonly #waiting: (() => void)[] = [];
  /** Makes the reason with which calls after `end` are cancelled. */
  #why: (() => unknown) | undefined;

  constructor(options: RegisterOptions = {}) {
    this.#options = options;
  }

  get count(): number {
    return this.#calls.size;
  }

  /** True if there are as many calls as allowed. */
  get isFull(): boolean {
    return this.count >= (this.#options.most ?? Number.POSITIVE_INFINITY);
  }

  /** Returns whether an owner has as many calls as one owner may have. */
  isFullFor(owner: string | undefined): boolean {
    const { mostOfOwner = Number.POSITIVE_INFINITY } = this.#options;
    return owner !== undefined && (this.#countOf.get(owner) ?? 0) >= mostOfOwner;
  }

  [Symbol.iterator](): Iterator<C> {
    return this.#calls[Symbol.iterator]();
  }

  /** Returns the call with an id; calls without an id are not found. */
  find(id: unknown): C | undefined {
    if (id !== undefined) for (const call of this.#calls) if (call.id === id) return call;
    return undefined;
  }

  /** Registers a call until it is removed, even if the register is full. */
  add(call: C): C {
    call.leave = this.#calls.add(call);
    this.#count(call.owner, 1);
    if (this.#why) call.abort(this.#why());
    return call;
  }

  /** Returns whether the call was in progress. */
  remove(call: C | undefined): boolean {
    if (!call?.leave) return false;
    call.leave();
    call.leave = undefined;
    this.#count(call.owner, -1);
    this.#options.onRemoved?.(this.count);
    const [next] = this.#queue;
    next?.(true);
    if (this.count === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    return true;
  }

  /** Registers a call while `work` runs, and cancels it if its caller cancels. */
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

  /**
   * Waits until a call has left: a cancelled one keeps its place until its work has really ended. Resolves to false if
   * the time is over, if the signal aborts, and at once if no more were cancelled than others wait for.
   */
  awaitRoom(time: number, signal?: CancelSignal): Promise<boolean> {
    const cancelled = [...this.#calls].filter(({ aborted }) => aborted).length;
    if (cancelled <= this.#queue.size || signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean) => {
        clearTimeout(timer);
        unhear?.();
        this.#queue.delete(settle);
        resolve(hasRoom);
      };
      const timer = setTimeout(settle, time, false).unref();
      const unhear = signal && onAbort(signal, () => settle(false));
      this.#queue.add(settle);
    });
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Cancels all calls, including later ones; resolves when none is in progress. */
  end(why: () => unknown = () => undefined): Promise<void> {
    this.#why ??= why;
    for (const call of this.#calls) call.abort(why());
    return this.idle();
  }

  #count(owner: string | undefined, more: 1 | -1): void {
    if (owner === undefined) return;
    const count = (this.#countOf.get(owner) ?? 0) + more;
    if (count > 0) this.#countOf.set(owner, count);
    else this.#countOf.delete(owner);
  }
}
