import path from 'node:path';
import { type Facts, type FileSystem, lacksLinks } from '../disk/file-system.ts';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import { isRespelling } from '../disk/respelling.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import type { Identity } from '../plan.ts';
import { type StepBatch, stepBatches } from './batch-steps.ts';
import type { Journal } from './journal.ts';
import { replacementOf } from './paths-after-moves.ts';
import { actionsOf, keptAt, stagedAt, touched } from './plan-steps.ts';
import { holds } from './requirements.ts';
import type { Step, StepAction } from './step.ts';

/**
 * Takes back those steps that were taken, the last one first, by what is in the tree alone: it may be called again
 * wherever it was stopped. What somebody else has changed since stays as it is.
 */
export async function revertSteps({ steps }: Journal, disk: PinnedDisk): Promise<void> {
  for (const stretch of [...stepBatches(steps)].reverse()) {
    revertBatch(steps, stretch, disk);
    await syncFoldersOf(touched(steps, stretch), disk);
  }
}

function revertBatch(steps: readonly Step[], [from, to]: StepBatch, disk: PinnedDisk): void {
  for (const [offset, step] of [...steps.slice(from, to).entries()].reverse()) {
    const index = from + offset;
    const { action } = step;
    const [staged, kept] = [stagedAt(steps, index), keptAt(steps, index)];
    if (action.kind === 'put' && action.before) putBack(action, step, staged, kept, disk);
    else if (action.kind === 'put') takeNameBack(action, step, staged, kept, disk);
    else if (action.kind === 'make_folder') unmakeFolder(action.path, staged, disk);
    else if (action.kind === 'move' && step.kept !== undefined) moveNameBack(action, step.kept, disk);
    else if (action.kind === 'move') moveBack(action, actionsOf(steps.slice(index + 1)), disk);
    else bringBack(action, step, kept, disk);
  }
}

/** A replaced file was replaced if what was staged for it is gone and what it was is kept. */
function putBack(
  action: StepAction & { kind: 'put' },
  step: Step,
  staged: string,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.facts(kept)) return;
  if (tree.facts(staged)) {
    // A second name of what was not replaced would keep a folder from being empty that is to be unmade.
    if (step.kept !== undefined) files.unlink(pins.entry(kept));
  } else if (holds(action.path, action.after, tree)) files.rename(pins.entry(kept), pins.entry(action.path));
}

/** A new file is ours if it is what was staged, or if of what was staged only the mark is left. */
function takeNameBack(
  action: StepAction & { kind: 'put' },
  { links }: Step,
  staged: string,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  const [ready, made] = [tree.facts(staged), tree.facts(action.path)];
  const isOurs = links ? isSame(ready, made) : !ready && tree.facts(kept) !== undefined;
  if (!isOurs || !holds(action.path, action.after, tree)) return;
  if (links) files.unlink(pins.entry(action.path));
  else files.rename(pins.entry(action.path), pins.entry(staged));
}

function unmakeFolder(place: string, staged: string, { files, pins, tree }: PinnedDisk): void {
  if (tree.facts(staged) || tree.facts(place)?.kind !== 'folder') return;
  if (tree.list(place).length > 0) return;
  files.rename(pins.entry(place), pins.entry(staged));
  pins.forget(place);
}

function bringBack(
  action: StepAction & { kind: 'remove' | 'remove_folder' },
  { links }: Step,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  const isFree = tree.isThere(path.dirname(action.path)) && !tree.facts(action.path);
  if (!tree.facts(kept) || !isFree) return;
  const [aside, place] = [pins.entry(kept), pins.entry(action.path)];
  if (!links || action.kind === 'remove_folder' || !giveLink(aside, place, files)) files.rename(aside, place);
}

/** That there are no second links here may not have been known when this was taken away. */
function giveLink(place: string, second: string, files: FileSystem): boolean {
  try {
    files.link(place, second);
    return true;
  } catch (thrown) {
    if (lacksLinks(thrown)) return false;
    throw thrown;
  }
}

function moveBack(
  { from, to, identity }: StepAction & { kind: 'move' },
  later: readonly StepAction[],
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.isThere(path.dirname(from)) || !tree.isThere(path.dirname(to))) return;
  // Where there are no second links, what a later step replaced was put back as a copy, which is another file.
  const before = replacementOf(to, later)?.before;
  const isThere = isIt(tree.facts(to), identity) || (before !== undefined && holds(to, before, tree));
  if (!(isRespelling(from, to) ? isRespelled(from, to, tree) : isThere)) return;
  if (isRespelling(from, to) || !tree.facts(from)) files.rename(pins.entry(to), pins.entry(from));
  pins.forget(to);
}

/**
 * What had the old name when the file was moved gets it again; it is another file if somebody put one there. A loss of
 * power may have left neither the old name nor the new one.
 */
function moveNameBack(
  { from, to, identity }: StepAction & { kind: 'move' },
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.isThere(path.dirname(from))) return;
  const [aside, there] = [tree.facts(kept), tree.facts(from)];
  if (aside && there && !isSame(aside, there)) {
    // Somebody has made a file of the old name since, so that what was moved has no other name to go back to.
    if (tree.isThere(path.dirname(to)) && !tree.facts(to)) files.link(pins.entry(kept), pins.entry(to));
    return;
  }
  if (aside && !there) files.link(pins.entry(kept), pins.entry(from));
  if ((aside || there) && isIt(tree.facts(to), identity)) files.unlink(pins.entry(to));
}

function isRespelled(from: string, to: string, tree: PinnedTree): boolean {
  const names = tree.list(path.dirname(from));
  return names.includes(path.basename(to)) && !names.includes(path.basename(from));
}

function isIt(facts: Facts | undefined, { kind, inode }: Identity): boolean {
  return facts?.kind === kind && facts.inode === inode;
}

function isSame(one: Facts | undefined, other: Facts | undefined): boolean {
  return one !== undefined && one.inode === other?.inode && one.device === other.device;
}
