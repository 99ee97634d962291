import { until } from '../call.ts';
import { limits } from '../limits.ts';
import type { CancelSignal } from './cancellation.ts';

type LockMode = 'shared' | 'alone';

/** Id of the caller, if there may be several. */
type Scope = string | undefined;

/**
 * A readers-writer lock in order of arrival, so that no waiter starves. If several scopes wait, they take
 * turns, and each shares the lock a bounded number of times at once: a scope that floods it waits for itself.
 */
export class FairLock {
  #sharing = 0;
  /** Number of current shares of each named scope. */
  readonly #sharingOf = new Map<Scope, number>();
  #isAlone = false;
  readonly #queue: Waiting[] = [];
  /** Latest round of a waiter that has had its turn. */
  #round = 0;

  /** True if sharing would not wait for an exclusive holder or waiter. */
  get isOpen(): boolean {
    return !this.#isAlone && this.#queue.every(({ turn }) => turn === 'shared');
  }

  /** Resolves when the caller has the lock, at once if it is free; rejects with the signal's reason. */
  async enter(turn: LockMode, signal: CancelSignal, scope?: Scope): Promise<void> {
    const waiting = new Waiting(turn, scope, this.#roundOf(scope));
    const place = this.#queue.findIndex(({ round }) => round > waiting.round);
    this.#queue.splice(place < 0 ? this.#queue.length : place, 0, waiting);
    this.#advance();
    if (!this.#queue.includes(waiting)) return;
    await until(waiting.begun, signal).catch((reason: unknown) => {
      this.#giveUp(waiting);
      throw reason;
    });
  }

  /** Shares the lock ahead of waiters: a helper of another server cannot wait. Only if none has it alone. */
  join(): void {
    this.#sharing += 1;
  }

  leave(turn: LockMode, scope?: Scope): void {
    if (turn === 'alone') this.#isAlone = false;
    else this.#share(scope, -1);
    this.#advance();
  }

  /** Returns the round after that of the last waiter of the scope, or else the next round. */
  #roundOf(scope: Scope): number {
    const before = this.#queue.findLast((one) => one.scope === scope);
    return (before?.round ?? this.#round) + 1;
  }

  #isFreeFor({ turn, scope }: Waiting): boolean {
    if (this.#isAlone) return false;
    return turn === 'alone' ? this.#sharing === 0 : this.#count(scope) < limits.questionsOfScope;
  }

  /** Skips a waiter that waits only for its own scope, but not one that waits for exclusive access. */
  #advance(): void {
    for (const waiting of [...this.#queue]) {
      if (this.#isFreeFor(waiting)) this.#begin(waiting);
      else if (this.#isAlone || waiting.turn === 'alone') return;
    }
  }

  #begin(waiting: Waiting): void {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    this.#round = Math.max(this.#round, waiting.round);
    if (waiting.turn === 'alone') this.#isAlone = true;
    else this.#share(waiting.scope, 1);
    waiting.begin();
  }

  #share(scope: Scope, more: 1 | -1): void {
    this.#sharing += more;
    if (scope === undefined) return;
    const count = this.#count(scope) + more;
    if (count > 0) this.#sharingOf.set(scope, count);
    else this.#sharingOf.delete(scope);
  }

  #count(scope: Scope): number {
    return this.#sharingOf.get(scope) ?? 0;
  }

  /** Leaves the lock if the turn has begun: it can begin at the moment at which its call ends. */
  #giveUp(waiting: Waiting): void {
    const index = this.#queue.indexOf(waiting);
    if (index < 0) this.leave(waiting.turn, waiting.scope);
    else {
      this.#queue.splice(index, 1);
      this.#advance();
    }
  }
}

class Waiting {
  readonly turn: LockMode;
  readonly scope: Scope;
  readonly round: number;
  readonly begun: Promise<void>;
  begin: () => void = () => {};

  constructor(turn: LockMode, scope: Scope, round: number) {
    this.turn = turn;
    this.scope = scope;
    this.round = round;
    this.begun = new Promise((resolve) => {
      this.begin = resolve;
    });
  }
}
