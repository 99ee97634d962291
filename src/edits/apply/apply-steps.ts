import { codeOf, type Facts } from '../disk/file-system.ts';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import { isRespelling } from '../disk/respelling.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import { changedMeanwhile } from '../edit-errors.ts';
import { type StepBatch, stepBatches } from './batch-steps.ts';
import type { Journal } from './journal.ts';
import { keptAt, stagedAt, touchedPaths } from './plan-steps.ts';
import type { Step, StepAction } from './step.ts';

/**
 * Applies all steps in order. Between the last check of an entry and its replacement, nothing else of this process
 * runs. A replaced file keeps a second name until it is verified that no other program changed it meanwhile.
 */
export async function applySteps(
  { steps }: Journal,
  facts: ReadonlyMap<number, Facts>,
  disk: PinnedDisk,
): Promise<void> {
  for (const batch of stepBatches(steps)) {
    applyBatch(steps, batch, facts, disk);
    await syncFoldersOf(touchedPaths(steps, batch), disk);
  }
}

function applyBatch(
  steps: readonly Step[],
  [from, to]: StepBatch,
  facts: ReadonlyMap<number, Facts>,
  disk: PinnedDisk,
): void {
  for (const [offset, step] of steps.slice(from, to).entries()) {
    const index = from + offset;
    const { action } = step;
    const seen = facts.get(index);
    const staged = stagedAt(steps, index);
    if (action.kind === 'put' && !action.before) giveFreeName(staged, action.path, step.links, disk);
    else if (action.kind === 'put') replace(action.path, step, seen, staged, disk);
    else if (action.kind === 'move') move(action, step, disk);
    else if (action.kind === 'make_folder') makeFolder(action.path, staged, disk);
    else setAside(action, seen, keptAt(steps, index), disk);
  }
}

function replace(
  path: string,
  { kept }: Step,
  seen: Facts | undefined,
  staged: string,
  { files, pins }: PinnedDisk,
): void {
  const place = pins.entry(path);
  const ready = pins.entry(staged);
  if (kept !== undefined) files.link(place, pins.entry(kept));
  if (!isUnchanged(files.look(place), seen)) throw changedMeanwhile([path]);
  files.rename(ready, place);
}

function setAside(
  action: StepAction & { kind: 'remove' | 'remove_folder' },
  seen: Facts | undefined,
  kept: string,
  { files, pins }: PinnedDisk,
): void {
  const place = pins.entry(action.path);
  const aside = pins.entry(kept);
  const isFolder = action.kind === 'remove_folder';
  if (!isFolder && !isUnchanged(files.look(place), seen)) throw changedMeanwhile([action.path]);
  files.rename(place, aside);
  if (!isFolder) return;
  pins.forget(action.path);
  if (files.list(aside).length > 0) throw changedMeanwhile([action.path]);
}

function makeFolder(path: string, staged: string, { files, pins }: PinnedDisk): void {
  const place = pins.entry(path);
  if (files.look(place)) throw changedMeanwhile([path]);
  files.rename(pins.entry(staged), place);
}

/** Gives a file its new name first, then sets aside whatever has the old name by then. */
function move({ from, to }: StepAction & { kind: 'move' }, { kept }: Step, disk: PinnedDisk): void {
  const { files, pins } = disk;
  const place = pins.entry(from);
  if (isRespelling(from, to)) files.rename(place, pins.entry(to));
  else giveFreeName(from, to, kept !== undefined, disk);
  if (kept !== undefined) files.rename(place, pins.entry(kept));
  pins.forget(from);
}

/** Gives an entry a name that must be free. A second link, where possible, can never replace another program's file. */
function giveFreeName(from: string, to: string, links: boolean, { files, pins }: PinnedDisk): void {
  const [place, target] = [pins.entry(from), pins.entry(to)];
  if (files.look(target)) throw changedMeanwhile([to]);
  try {
    if (links) files.link(place, target);
    else files.rename(place, target);
  } catch (thrown) {
    throw codeOf(thrown) === 'EEXIST' ? changedMeanwhile([to]) : thrown;
  }
}

/** An entry that an earlier step made was not seen before. */
function isUnchanged(now: Facts | undefined, seen: Facts | undefined): boolean {
  if (!seen) return now !== undefined;
  return (
    now !== undefined &&
    now.inode === seen.inode &&
    now.size === seen.size &&
    now.modified === seen.modified &&
    now.mode === seen.mode
  );
}
