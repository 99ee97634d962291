import { until } from '../call.ts';
import { limits } from '../limits.ts';
import type { CancelSignal } from './cancellation.ts';

type LockMode = 'shared' | 'alone';

/** Who asks, where several may. */
type Scope = string | undefined;

/**
 * Lets many share something, or one have it alone, in the order in which they came: nobody is passed over for ever.
 * Where several scopes wait, each has its turn after the other, and none shares it more than so many times at once:
 * one that floods it waits for itself.
 */
export class FairLock {
  #sharing = 0;
  /** How often each named scope shares it at present. */
  readonly #sharingOf = new Map<Scope, number>();
  #isAlone = false;
  readonly #queue: Waiting[] = [];
  /** That of who waited last and has its turn. */
  #round = 0;

  /** Whether sharing would not have to wait for one who has it alone. */
  get isOpen(): boolean {
    return !this.#isAlone && this.#queue.every(({ turn }) => turn === 'shared');
  }

  /** Resolves when it is one's turn, at once where nobody is in the way; rejects with the signal's reason. */
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

  /** Shares it past those who wait, but not with one who has it alone: whoever helps another cannot wait for it. */
  join(): void {
    this.#sharing += 1;
  }

  leave(turn: LockMode, scope?: Scope): void {
    if (turn === 'alone') this.#isAlone = false;
    else this.#share(scope, -1);
    this.#advance();
  }

  /** After the latest of the same scope that waits, beside the next of any other. */
  #roundOf(scope: Scope): number {
    const before = this.#queue.findLast((one) => one.scope === scope);
    return (before?.round ?? this.#round) + 1;
  }

  #isFreeFor({ turn, scope }: Waiting): boolean {
    if (this.#isAlone) return false;
    return turn === 'alone' ? this.#sharing === 0 : this.#count(scope) < limits.questionsOfScope;
  }

  /** Who waits for others of its own scope only is passed; who waits to be alone is not. */
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

  /** A turn can begin and its call end at the same moment. */
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
