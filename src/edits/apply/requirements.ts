import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { limits } from '../../core/limits.ts';
import type { Facts } from '../disk/file-system.ts';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import { isRespelling } from '../disk/respelling.ts';
import type { Identity } from '../plan.ts';
import { beforeMoves } from './paths-after-moves.ts';
import type { Footprint, StepAction } from './step.ts';

/** The state that a path must have before the first of some actions, so that all can be applied. */
interface Requirement {
  /** The index of the action that needs it. */
  readonly index: number;
  readonly path: string;
  readonly wanted: Footprint | Identity | 'nothing' | 'folder';
}

/** Returns the states that the disk must have before the first action, without those that earlier actions produce. */
export function requirementsOf(actions: readonly StepAction[]): readonly Requirement[] {
  const results = new Map<string, ActionResult>();
  return actions.flatMap((action, index) => {
    const needed = needsOf(action).flatMap(({ place, wanted }) => {
      if (isDecided(place, results)) return [];
      return [{ index, path: beforeMoves(place, actions.slice(0, index)), wanted }];
    });
    recordAction(action, results);
    return needed;
  });
}

/** Returns the required entry, or 'nothing' if that is required; `undefined` if the requirement is not met. */
export function meets({ path, wanted }: Requirement, tree: PinnedTree): Facts | 'nothing' | undefined {
  const facts = tree.facts(path);
  if (wanted === 'nothing') return facts ? undefined : 'nothing';
  if (!facts) return undefined;
  if (wanted === 'folder') return facts.kind === 'folder' ? facts : undefined;
  if ('inode' in wanted) return isIdentical(path, wanted, facts, tree) ? facts : undefined;
  return isContent(path, wanted, facts, tree) ? facts : undefined;
}

/** True if a path has a content now. */
export function hasContent(place: string, footprint: Footprint, tree: PinnedTree): boolean {
  const facts = tree.facts(place);
  return facts !== undefined && isContent(place, footprint, facts, tree);
}

function isContent(place: string, footprint: Footprint, facts: Facts, tree: PinnedTree): boolean {
  if (facts.kind !== footprint.kind) return false;
  if (footprint.kind === 'link') return tree.readLink(place) === footprint.target;
  if (facts.mode !== footprint.mode || facts.size !== footprint.size) return false;
  return tree.hash(place, footprint.size) === footprint.hash;
}

function isIdentical(place: string, identity: Identity, facts: Facts, tree: PinnedTree): boolean {
  // The number of a device may change when the system restarts.
  const same = facts.kind === identity.kind && facts.inode === identity.inode;
  return same && (identity.hash === undefined || tree.hash(place, facts.size) === identity.hash);
}

function needsOf(action: StepAction): { place: string; wanted: Requirement['wanted'] }[] {
  switch (action.kind) {
    case 'put':
      return [{ place: action.path, wanted: action.before ?? 'nothing' }];
    case 'remove':
      return [{ place: action.path, wanted: action.before }];
    case 'make_folder':
      return [{ place: action.path, wanted: 'nothing' }];
    case 'remove_folder':
      return [{ place: action.path, wanted: 'folder' }];
    case 'move': {
      const from = { place: action.from, wanted: action.identity };
      return isRespelling(action.from, action.to) ? [from] : [from, { place: action.to, wanted: 'nothing' }];
    }
  }
}

/** The result of earlier actions at a path; a moved entry is still on the disk under its former name. */
type ActionResult = 'there' | 'gone' | 'moved';

/** True if earlier actions decide what is at a path, so that the disk does not show it. */
function isDecided(place: string, results: ReadonlyMap<string, ActionResult>): boolean {
  const result = results.get(place);
  if (result) return result !== 'moved';
  const above = path.dirname(place);
  return above !== place && isDecided(above, results);
}

function recordAction(action: StepAction, results: Map<string, ActionResult>): void {
  if (action.kind !== 'move') {
    const gone = action.kind === 'remove' || action.kind === 'remove_folder';
    results.set(action.path, gone ? 'gone' : 'there');
    return;
  }
  const moved = results.get(action.from) ?? 'moved';
  for (const [place, state] of [...results]) {
    if (place !== action.from && !place.startsWith(action.from + path.sep)) continue;
    results.delete(place);
    results.set(action.to + place.slice(action.from.length), state);
  }
  results.set(action.to, moved);
  results.set(action.from, 'gone');
}

/** The state of the disk where actions have requirements. */
interface Findings {
  /** Paths that do not meet a requirement. */
  readonly unmet: readonly string[];
  /** The entries found, by the index of the action; for a move, the entry to be moved. */
  readonly facts: ReadonlyMap<number, Facts>;
}

/** Compares the disk with the requirements of actions, without blocking other calls. */
export async function checkRequirements(
  actions: readonly StepAction[],
  { tree }: PinnedDisk,
): Promise<Findings> {
  const facts = new Map<number, Facts>();
  const unmet: string[] = [];
  for (const [count, requirement] of requirementsOf(actions).entries()) {
    const found = meets(requirement, tree);
    if (found === undefined) unmet.push(requirement.path);
    else if (found !== 'nothing') facts.set(requirement.index, found);
    if (count % limits.undo.atOnce === 0) await setImmediate();
  }
  return { unmet, facts };
}
