import type { Router } from '../routing/router.ts';
import type { ServerSlot, UseSlot } from '../session/server-slot.ts';

/** State of a server after it answered. */
interface Seen {
  readonly slot: ServerSlot;
  /** Number of reloads begun before it was asked, and after it answered. */
  readonly reloads: readonly (number | undefined)[];
  readonly messageCount: number | undefined;
}

/** Records which servers an answer came from, and whether they would still say the same. */
export class ServerSnapshot {
  readonly #router: Router;
  readonly #seen: Seen[] = [];

  constructor(router: Router) {
    this.#router = router;
  }

  /** Wraps `use` to record the state of the servers. */
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

  /** True if a server was asked, and none was loading meanwhile. */
  get wasStable(): boolean {
    return this.#seen.length > 0 && this.#seen.every(({ reloads: [before, after] }) => before === after);
  }

  /** True if each server asked is ready, and has neither sent nor received a message since. */
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
