import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { stagingName } from '../../core/staging-names.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { isRespelling } from '../disk/respelling.ts';
import type { StepBatch } from './batch-steps.ts';
import { afterMoves, beforeMoves } from './paths-after-moves.ts';
import type { Step, StepAction } from './step.ts';

/** The steps that take some actions, with names that nobody can guess for what lies in the tree meanwhile. */
export function planSteps(actions: readonly StepAction[], links: boolean): readonly Step[] {
  return actions.map((action, index) => {
    const step = { action, links: links && !dealsWithLink(action) };
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

/** Whether what a step takes away is put aside. */
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

/** What the staged entry of a step is called when the step is taken. */
export function stagedAt(steps: readonly Step[], index: number): string {
  return afterMoves(steps[index]?.staged ?? '', actionsOf(steps.slice(0, index)));
}

/** What the entry is called that is kept for a step when the step is taken. */
export function keptAt(steps: readonly Step[], index: number): string {
  const { kept, copied = '' } = steps[index] ?? {};
  return kept ?? afterMoves(copied, actionsOf(steps.slice(0, index)));
}

/** What every entry of ours may be called in the tree: before the first step and after the last. */
export function ownNames(steps: readonly Step[]): readonly string[] {
  const actions = actionsOf(steps);
  const names = steps.flatMap(({ staged, copied, kept }, index) => [
    ...[staged, copied].flatMap((name) => (name ? [name, afterMoves(name, actions)] : [])),
    ...(kept ? [beforeMoves(kept, actions.slice(0, index)), afterMoves(kept, actions.slice(index + 1))] : []),
  ]);
  return [...new Set(names)];
}

/** Every path of which a step of a stretch changes the name, as it is called when that stretch is taken. */
export function touched(steps: readonly Step[], [from, to]: StepBatch): readonly string[] {
  return actionsOf(steps.slice(from, to)).flatMap((action) =>
    action.kind === 'move' ? [action.from, action.to] : [action.path],
  );
}

/** The actions of some steps. */
export function actionsOf(steps: readonly Step[]): readonly StepAction[] {
  return steps.map(({ action }) => action);
}

/** Second links to links are not had everywhere. */
function dealsWithLink(action: StepAction): boolean {
  if (action.kind === 'move') return action.identity.kind === 'link';
  if (action.kind === 'put') return action.after.kind === 'link' || action.before?.kind === 'link';
  return action.kind === 'remove' && action.before.kind === 'link';
}

/** The folder of a path as it is called before the first action, or the nearest one above it that is there by then and stays. */
function stagingFolder(place: string, actions: readonly StepAction[], index: number): string {
  const start = actions.slice(0, index).reduceRight((folder, action) => {
    if (action.kind === 'make_folder' && isPathWithin(action.path, folder)) return path.dirname(action.path);
    if (action.kind === 'move' && isPathWithin(action.to, folder))
      return action.from + folder.slice(action.to.length);
    return folder;
  }, path.dirname(place));
  return firstThatStays(start, actions);
}

/** The folder of a path as it is called when the action is taken, or the nearest one above it that stays. */
function keepingFolder(place: string, actions: readonly StepAction[], index: number): string {
  return firstThatStays(path.dirname(place), actions.slice(index + 1));
}

function firstThatStays(folder: string, actions: readonly StepAction[]): string {
  const isRemoved = actions.some(
    (action, at) =>
      action.kind === 'remove_folder' && action.path === afterMoves(folder, actions.slice(0, at)),
  );
  return isRemoved ? firstThatStays(path.dirname(folder), actions) : folder;
}

function nameIn(folder: string): string {
  return path.join(folder, stagingName(randomBytes(12).toString('hex')));
}
