import type { Router } from '../routing/router.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';

/** What a server was like when it had answered. */
interface Seen {
  readonly slot: ServerSlot;
  /** How often it had begun to load anew before it was asked, and when it had answered. */
  readonly relapses: readonly (number | undefined)[];
  readonly stirrings: number | undefined;
}

/** Who was asked for an answer, and whether they would still say the same. */
export class Testimony {
  readonly #router: Router;
  readonly #seen: Seen[] = [];

  constructor(router: Router) {
    this.#router = router;
  }

  /** The same way to use servers, noting what they are like. */
  noting(use: UseSlot): UseSlot {
    return async (slot, ...rest) => {
      const before = relapsesOf(slot);
      const worked = await use(slot, ...rest);
      for (const one of [slot, ...this.#router.askedBy(slot)])
        this.#seen.push({
          slot: one,
          relapses: one === slot ? [before ?? relapsesOf(slot), relapsesOf(slot)] : [],
          stirrings: stirringsOf(one),
        });
      return worked;
    };
  }

  /** Whether somebody was asked, and none of them was loading meanwhile. */
  get isSteady(): boolean {
    return this.#seen.length > 0 && this.#seen.every(({ relapses: [before, after] }) => before === after);
  }

  /** Whether each that was asked is ready, and has neither said nor been told anything since. */
  get stands(): boolean {
    return this.#seen.every(
      ({ slot, stirrings }) => isReady(slot) && stirrings !== undefined && stirringsOf(slot) === stirrings,
    );
  }
}

function isReady({ session, outdated }: ServerSlot): boolean {
  return session?.alive === true && session.readiness.known && !outdated;
}

function relapsesOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.relapses;
}

function stirringsOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.stirrings;
}
