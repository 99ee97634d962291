import { limits } from '../../core/limits.ts';
import { SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { OfferedActions } from './actions-offer.ts';
import { type KeptList, ListSnapshots } from './list-snapshot.ts';
import { Outlines } from './outlines.ts';
import { ProblemSnapshots } from './problem-snapshot.ts';

/** State that tools keep between the calls of a caller. */
export interface CallerState<L extends KeptList> {
  readonly outlines: Outlines;
  /** Problems that earlier answers reported. */
  readonly problems: ProblemSnapshots;
  readonly actions: OfferedActions;
  /** Lists of which only a part was shown. */
  readonly lists: ListSnapshots<L>;
}

/** Quotas of memory, which the states of several callers may share. */
export interface Quotas {
  readonly problems: SharedQuota;
  readonly actions: SharedQuota;
  readonly lists: SharedQuota;
}

/** Returns the quotas of all callers together. */
export function newQuotas(): Quotas {
  return {
    problems: new SharedQuota(limits.problemSnapshots.bytes),
    actions: new SharedQuota(limits.actions.bytes),
    lists: new SharedQuota(limits.listSnapshots.bytes),
  };
}

/** Returns the empty state of a new caller. */
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
