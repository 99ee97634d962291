import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';

/** Tells long work when it is time to let others go first: `if (pace.isDue()) await pace.rest()` at every step. */
export class Pace {
  #steps = 0;
  #end = performance.now() + limits.slice.time;

  /** The clock is looked at only now and then, so that short work costs nothing more. */
  isDue(): boolean {
    this.#steps += 1;
    return this.#steps % limits.slice.steps === 0 && this.isLate();
  }

  /** The same for work whose single steps take long. */
  isLate(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + limits.slice.time;
  }
}
