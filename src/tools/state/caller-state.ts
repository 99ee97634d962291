import { limits } from '../../core/limits.ts';
import { SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { OfferedActions } from './actions-offer.ts';
import { type KeptList, ListSnapshots } from './list-snapshot.ts';
import { Outlines } from './outlines.ts';
import { ProblemSnapshots } from './problem-snapshot.ts';

/** What tools remember from one call to the next. */
export interface CallerState<L extends KeptList> {
  readonly outlines: Outlines;
  /** What earlier answers told of problems. */
  readonly problems: ProblemSnapshots;
  readonly actions: OfferedActions;
  /** Lists that were told in part. */
  readonly lists: ListSnapshots<L>;
}

/** The room for what is remembered, in which several may remember each their own. */
export interface Quotas {
  readonly problems: SharedQuota;
  readonly actions: SharedQuota;
  readonly lists: SharedQuota;
}

/** As much room as all together have. */
export function newQuotas(): Quotas {
  return {
    problems: new SharedQuota(limits.problemSnapshots.bytes),
    actions: new SharedQuota(limits.actions.bytes),
    lists: new SharedQuota(limits.listSnapshots.bytes),
  };
}

/** Memories of nothing yet. */
export function newCallerState<L extends KeptList>(
  quotas: Quotas = newQuotas(),
  outlines: Outlines = new Outlines(),
): CallerState<L> {
  return {
    outlines,
    problems: new ProblemSnapshots(quotas.problems),
    actions: new OfferedActions(quotas.actions),
    lists: new ListSnapshots(quotas.lists),
  };
}
