import { ListSnapshots } from './list-snapshots.ts';
import { OfferedActions } from './offered-actions.ts';
import { Outlines } from './outlines.ts';
import { ProblemSnapshots } from './problem-snapshots.ts';

/** What tools remember from one call to the next. */
export interface Memories {
  readonly outlines: Outlines;
  /** What earlier answers told of problems. */
  readonly problems: ProblemSnapshots;
  readonly actions: OfferedActions;
  /** Lists that were told in part. */
  readonly lists: ListSnapshots;
}

/** Memories of nothing yet. */
export function newMemories(): Memories {
  return {
    outlines: new Outlines(),
    problems: new ProblemSnapshots(),
    actions: new OfferedActions(),
    lists: new ListSnapshots(() => performance.now()),
  };
}
