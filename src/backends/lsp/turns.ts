import { until } from '../../core/call.ts';

type Turn = 'shared' | 'alone';

/** Lets many share something, or one have it alone, in the order in which they came: nobody is passed over for ever. */
export class Turns {
  #sharing = 0;
  #isAlone = false;
  readonly #queue: Waiting[] = [];

  /** Whether sharing would not have to wait. */
  get isOpen(): boolean {
    return !this.#isAlone && this.#queue.length === 0;
  }

  /** Resolves when it is one's turn, at once where nobody is in the way; rejects with the signal's reason. */
  async enter(turn: Turn, signal: AbortSignal): Promise<void> {
    if (this.#queue.length === 0 && this.#isFreeFor(turn)) return this.#take(turn);
    const waiting = new Waiting(turn);
    this.#queue.push(waiting);
    await until(waiting.begun, signal).catch((reason: unknown) => {
      this.#giveUp(waiting);
      throw reason;
    });
  }

  /** Shares it past those who wait, but not with one who has it alone: whoever helps another cannot wait for it. */
  join(): void {
    this.#sharing += 1;
  }

  leave(turn: Turn): void {
    if (turn === 'alone') this.#isAlone = false;
    else this.#sharing -= 1;
    this.#advance();
  }

  #isFreeFor(turn: Turn): boolean {
    return !this.#isAlone && (turn === 'shared' || this.#sharing === 0);
  }

  #take(turn: Turn): void {
    if (turn === 'alone') this.#isAlone = true;
    else this.#sharing += 1;
  }

  #advance(): void {
    for (let first = this.#queue[0]; first && this.#isFreeFor(first.turn); first = this.#queue[0]) {
      this.#queue.shift();
      this.#take(first.turn);
      first.begin();
    }
  }

  /** A turn can begin and its call end at the same moment. */
  #giveUp(waiting: Waiting): void {
    const index = this.#queue.indexOf(waiting);
    if (index < 0) this.leave(waiting.turn);
    else {
      this.#queue.splice(index, 1);
      this.#advance();
    }
  }
}

class Waiting {
  readonly turn: Turn;
  readonly begun: Promise<void>;
  begin: () => void = () => {};

  constructor(turn: Turn) {
    this.turn = turn;
    this.begun = new Promise((resolve) => {
      this.begin = resolve;
    });
  }
}
