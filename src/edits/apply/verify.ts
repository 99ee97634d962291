import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import type { Journal } from './journal.ts';
import { afterMoves } from './paths-after-moves.ts';
import { actionsOf } from './plan-steps.ts';
import { holds } from './requirements.ts';
import type { Footprint, StepAction } from './step.ts';

/** Paths of which somebody else changed the content while steps were taken: what was kept of them tells. */
export async function changedWhileTaken(
  { steps }: Journal,
  { tree }: PinnedDisk,
): Promise<readonly string[]> {
  const actions = actionsOf(steps);
  const changed: string[] = [];
  for (const [index, { action, kept }] of steps.entries()) {
    if (kept === undefined) continue;
    await setImmediate();
    if (!isAsBefore(action, afterMoves(kept, actions.slice(index + 1)), tree))
      changed.push(action.kind === 'move' ? action.from : action.path);
  }
  return changed;
}

/** Paths that do not hold what the edit has put there. */
export async function changedSince({ steps }: Journal, { tree }: PinnedDisk): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [place, footprint] of leftBy(actionsOf(steps))) {
    await setImmediate();
    if (!holds(place, footprint, tree)) changed.push(place);
  }
  return changed;
}

/** What some actions leave at the paths whose content they change. */
export function leftBy(actions: readonly StepAction[]): ReadonlyMap<string, Footprint> {
  const left = new Map<string, Footprint>();
  for (const action of actions) {
    if (action.kind === 'put') left.set(action.path, action.after);
    if (action.kind === 'remove') left.delete(action.path);
    if (action.kind !== 'move') continue;
    for (const [place, footprint] of [...left]) {
      if (place !== action.from && !place.startsWith(action.from + path.sep)) continue;
      left.delete(place);
      left.set(action.to + place.slice(action.from.length), footprint);
    }
  }
  return left;
}

function isAsBefore(action: StepAction, kept: string, tree: PinnedTree): boolean {
  const facts = tree.facts(kept);
  if (action.kind === 'move') {
    const { inode, hash } = action.identity;
    return facts?.inode === inode && (hash === undefined || tree.hash(kept, facts.size) === hash);
  }
  const before = 'before' in action ? action.before : undefined;
  return facts !== undefined && (before === undefined || holds(kept, before, tree));
}
