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

/** What must be at a path before the first of some actions, so that all of them can be taken. */
interface Requirement {
  /** The action that needs it. */
  readonly index: number;
  readonly path: string;
  readonly wanted: Footprint | Identity | 'nothing' | 'folder';
}

/** What the disk must be like before the first action; what earlier actions see to is not asked of the disk. */
export function requirementsOf(actions: readonly StepAction[]): readonly Requirement[] {
  const made = new Map<string, Settled>();
  return actions.flatMap((action, index) => {
    const needed = needsOf(action).flatMap(({ place, wanted }) => {
      if (isSettled(place, made)) return [];
      return [{ index, path: beforeMoves(place, actions.slice(0, index)), wanted }];
    });
    note(action, made);
    return needed;
  });
}

/** What is at a path, if that is what is required; `undefined` if it is not. Nothing, where nothing is required. */
export function meets({ path, wanted }: Requirement, tree: PinnedTree): Facts | 'nothing' | undefined {
  const facts = tree.facts(path);
  if (wanted === 'nothing') return facts ? undefined : 'nothing';
  if (!facts) return undefined;
  if (wanted === 'folder') return facts.kind === 'folder' ? facts : undefined;
  if ('inode' in wanted) return isIdentical(path, wanted, facts, tree) ? facts : undefined;
  return isContent(path, wanted, facts, tree) ? facts : undefined;
}

/** Whether a path holds a content now. */
export function holds(place: string, footprint: Footprint, tree: PinnedTree): boolean {
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
  // The number of a device may be another after a restart of the system.
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

/** What earlier actions have left at a path; what was moved there is known from the disk by its former name. */
type Settled = 'there' | 'gone' | 'moved';

/** Whether earlier actions decide what is at a path, so that the disk cannot be asked about it. */
function isSettled(place: string, made: ReadonlyMap<string, Settled>): boolean {
  const settled = made.get(place);
  if (settled) return settled !== 'moved';
  const above = path.dirname(place);
  return above !== place && isSettled(above, made);
}

function note(action: StepAction, made: Map<string, Settled>): void {
  if (action.kind !== 'move') {
    const gone = action.kind === 'remove' || action.kind === 'remove_folder';
    made.set(action.path, gone ? 'gone' : 'there');
    return;
  }
  const own = made.get(action.from) ?? 'moved';
  for (const [place, state] of [...made]) {
    if (place !== action.from && !place.startsWith(action.from + path.sep)) continue;
    made.delete(place);
    made.set(action.to + place.slice(action.from.length), state);
  }
  made.set(action.to, own);
  made.set(action.from, 'gone');
}

/** What the disk is like where actions need it to be in a certain way. */
interface Findings {
  /** Paths that are not as they should be. */
  readonly unmet: readonly string[];
  /** What was found, by the action that needs it; of a move, what will be moved. */
  readonly facts: ReadonlyMap<number, Facts>;
}

/** Compares the disk with what actions need; other calls get their turn meanwhile. */
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
