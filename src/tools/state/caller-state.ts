import { limits } from '../../core/limits.ts';
import { SharedRoom } from '../../core/runtime/bounded-cache.ts';
import { type KeptList, ListSnapshots } from './list-snapshots.ts';
import { OfferedActions } from './offered-actions.ts';
import { Outlines } from './outlines.ts';
import { ProblemSnapshots } from './problem-snapshots.ts';

/** What tools remember from one call to the next. */
export interface Memories<L extends KeptList> {
  readonly outlines: Outlines;
  /** What earlier answers told of problems. */
  readonly problems: ProblemSnapshots;
  readonly actions: OfferedActions;
  /** Lists that were told in part. */
  readonly lists: ListSnapshots<L>;
}

/** The room for what is remembered, in which several may remember each their own. */
export interface Rooms {
  readonly problems: SharedRoom;
  readonly actions: SharedRoom;
  readonly lists: SharedRoom;
}

/** As much room as all together have. */
export function newRooms(): Rooms {
  return {
    problems: new SharedRoom(limits.problemSnapshots.bytes),
    actions: new SharedRoom(limits.actions.bytes),
    lists: new SharedRoom(limits.listSnapshots.bytes),
  };
}

/** Memories of nothing yet. */
export function newMemories<L extends KeptList>(
  rooms: Rooms = newRooms(),
  outlines: Outlines = new Outlines(),
): Memories<L> {
  return {
    outlines,
    problems: new ProblemSnapshots(rooms.problems),
    actions: new OfferedActions(rooms.actions),
    lists: new ListSnapshots(rooms.lists),
  };
}
