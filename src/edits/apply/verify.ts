import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import type { Journal } from './journal.ts';
import { afterMoves } from './paths-after-moves.ts';
import { actionsOf } from './plan-steps.ts';
import { hasContent } from './requirements.ts';
import type { Footprint, StepAction } from './step.ts';

/** Returns the paths that another program changed while steps were applied, as their kept entries show. */
export async function changedWhileApplied(
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

/** Returns the paths that do not have the content that the edit wrote. */
export async function changedSince({ steps }: Journal, { tree }: PinnedDisk): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [place, footprint] of finalContents(actionsOf(steps))) {
    await setImmediate();
    if (!hasContent(place, footprint, tree)) changed.push(place);
  }
  return changed;
}

/** Returns the final content of the paths whose content some actions change. */
export function finalContents(actions: readonly StepAction[]): ReadonlyMap<string, Footprint> {
  const contents = new Map<string, Footprint>();
  for (const action of actions) {
    if (action.kind === 'put') contents.set(action.path, action.after);
    if (action.kind === 'remove') contents.delete(action.path);
    if (action.kind !== 'move') continue;
    for (const [place, footprint] of [...contents]) {
      if (place !== action.from && !place.startsWith(action.from + path.sep)) continue;
      contents.delete(place);
      contents.set(action.to + place.slice(action.from.length), footprint);
    }
  }
  return contents;
}

function isAsBefore(action: StepAction, kept: string, tree: PinnedTree): boolean {
  const facts = tree.facts(kept);
  if (action.kind === 'move') {
    const { inode, hash } = action.identity;
    return facts?.inode === inode && (hash === undefined || tree.hash(kept, facts.size) === hash);
  }
  const before = 'before' in action ? action.before : undefined;
  return facts !== undefined && (before === undefined || hasContent(kept, before, tree));
}
