import type { Router } from '../routing/router.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';

/** What a server was like when it had answered. */
interface Seen {
  readonly slot: ServerSlot;
  /** How often it had begun to load anew before it was asked, and when it had answered. */
  readonly reloads: readonly (number | undefined)[];
  readonly messageCount: number | undefined;
}

/** Who was asked for an answer, and whether they would still say the same. */
export class ServerSnapshot {
  readonly #router: Router;
  readonly #seen: Seen[] = [];

  constructor(router: Router) {
    this.#router = router;
  }

  /** The same way to use servers, noting what they are like. */
  recording(use: UseSlot): UseSlot {
    return async (slot, ...rest) => {
      const before = reloadsOf(slot);
      const worked = await use(slot, ...rest);
      for (const one of [slot, ...this.#router.askedBy(slot)])
        this.#seen.push({
          slot: one,
          reloads: one === slot ? [before ?? reloadsOf(slot), reloadsOf(slot)] : [],
          messageCount: messageCountOf(one),
        });
      return worked;
    };
  }

  /** Whether somebody was asked, and none of them was loading meanwhile. */
  get wasStable(): boolean {
    return this.#seen.length > 0 && this.#seen.every(({ reloads: [before, after] }) => before === after);
  }

  /** Whether each that was asked is ready, and has neither said nor been told anything since. */
  get isUnchanged(): boolean {
    return this.#seen.every(
      ({ slot, messageCount }) =>
        isReady(slot) && messageCount !== undefined && messageCountOf(slot) === messageCount,
    );
  }
}

function isReady({ session, outdated }: ServerSlot): boolean {
  return session?.alive === true && session.readiness.isReady && !outdated;
}

function reloadsOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.reloads;
}

function messageCountOf({ session }: ServerSlot): number | undefined {
  return session?.readiness.messageCount;
}
