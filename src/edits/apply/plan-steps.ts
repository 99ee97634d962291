import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { stagingName } from '../../core/staging-names.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { isRespelling } from '../disk/respelling.ts';
import type { StepBatch } from './batch-steps.ts';
import { afterMoves, beforeMoves } from './paths-after-moves.ts';
import type { Step, StepAction } from './step.ts';

/** Returns the steps of some actions, with unguessable names for our own entries in the tree meanwhile. */
export function planSteps(actions: readonly StepAction[], links: boolean): readonly Step[] {
  return actions.map((action, index) => {
    const step = { action, links: links && !involvesLink(action) };
    const at = action.kind === 'move' ? action.from : action.path;
    const early = () => nameIn(stagingFolder(at, actions, index));
    return {
      ...step,
      ...((action.kind === 'put' || action.kind === 'make_folder') && { staged: early() }),
      ...(action.kind === 'put' && !step.links && { copied: early() }),
      ...(isKept(step) && { kept: nameIn(keepingFolder(at, actions, index)) }),
    };
  });
}

/** True if the entry that a step removes or replaces is set aside. */
function isKept({ action, links }: Step): boolean {
  switch (action.kind) {
    case 'put':
      return action.before !== undefined && links;
    case 'move':
      return links && action.identity.kind === 'file' && !isRespelling(action.from, action.to);
    case 'make_folder':
      return false;
    default:
      return true;
  }
}

/** Returns the path of a step's staged entry when the step is applied. */
export function stagedAt(steps: readonly Step[], index: number): string {
  return afterMoves(steps[index]?.staged ?? '', actionsOf(steps.slice(0, index)));
}

/** Returns the path of a step's kept entry when the step is applied. */
export function keptAt(steps: readonly Step[], index: number): string {
  const { kept, copied = '' } = steps[index] ?? {};
  return kept ?? afterMoves(copied, actionsOf(steps.slice(0, index)));
}

/** Returns all paths that our own entries may have in the tree: before the first step and after the last. */
export function ownNames(steps: readonly Step[]): readonly string[] {
  const actions = actionsOf(steps);
  const names = steps.flatMap(({ staged, copied, kept }, index) => [
    ...[staged, copied].flatMap((name) => (name ? [name, afterMoves(name, actions)] : [])),
    ...(kept ? [beforeMoves(kept, actions.slice(0, index)), afterMoves(kept, actions.slice(index + 1))] : []),
  ]);
  return [...new Set(names)];
}

/** Returns every path whose name a batch changes, as of when the batch is applied. */
export function touchedPaths(steps: readonly Step[], [from, to]: StepBatch): readonly string[] {
  return actionsOf(steps.slice(from, to)).flatMap((action) =>
    action.kind === 'move' ? [action.from, action.to] : [action.path],
  );
}

/** Returns the actions of some steps. */
export function actionsOf(steps: readonly Step[]): readonly StepAction[] {
  return steps.map(({ action }) => action);
}

/** Not every system supports hard links to symbolic links. */
function involvesLink(action: StepAction): boolean {
  if (action.kind === 'move') return action.identity.kind === 'link';
  if (action.kind === 'put') return action.after.kind === 'link' || action.before?.kind === 'link';
  return action.kind === 'remove' && action.before.kind === 'link';
}

/** Returns the folder of a path, or the nearest one above it, that exists before the first action and stays. */
function stagingFolder(place: string, actions: readonly StepAction[], index: number): string {
  const start = actions.slice(0, index).reduceRight((folder, action) => {
    if (action.kind === 'make_folder' && isPathWithin(action.path, folder)) return path.dirname(action.path);
    if (action.kind === 'move' && isPathWithin(action.to, folder))
      return action.from + folder.slice(action.to.length);
    return folder;
  }, path.dirname(place));
  return nearestThatStays(start, actions);
}

/** Returns the folder of a path when the action is applied, or the nearest one above it that stays. */
function keepingFolder(place: string, actions: readonly StepAction[], index: number): string {
  return nearestThatStays(path.dirname(place), actions.slice(index + 1));
}

function nearestThatStays(folder: string, actions: readonly StepAction[]): string {
  const isRemoved = actions.some(
    (action, at) =>
      action.kind === 'remove_folder' && action.path === afterMoves(folder, actions.slice(0, at)),
  );
  return isRemoved ? nearestThatStays(path.dirname(folder), actions) : folder;
}

function nameIn(folder: string): string {
  return path.join(folder, stagingName(randomBytes(12).toString('hex')));
}
