import path from 'node:path';
import { type Facts, type FileSystem, lacksLinks } from '../disk/file-system.ts';
import type { PinnedDisk } from '../disk/pinned-disk.ts';
import type { PinnedTree } from '../disk/pinned-tree.ts';
import { isRespelling } from '../disk/respelling.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import { keptAsChanged } from '../edit-errors.ts';
import type { Identity } from '../plan.ts';
import { type StepBatch, stepBatches } from './batch-steps.ts';
import type { Journal } from './journal.ts';
import type { Filed, Journals, Phase } from './journal-store.ts';
import { replacementOf } from './paths-after-moves.ts';
import { actionsOf, keptAt, ownNames, stagedAt, touchedPaths } from './plan-steps.ts';
import { checkRequirements, hasContent } from './requirements.ts';
import type { Step, StepAction } from './step.ts';

/** How a begun edit was finished. */
export interface JournalEnd {
  readonly as: 'undone' | 'completed';
  /** Files that were not restored, because another program changed them. */
  readonly conflict?: { readonly paths: readonly string[]; readonly message: string };
}

/** Completes a committed edit, and undoes any other. Can itself be interrupted at any point, and called again. */
export async function finishJournal(
  { id, phase }: Filed,
  journal: Journal,
  journals: Journals,
  disk: PinnedDisk,
): Promise<JournalEnd> {
  if (phase === 'committed') {
    await removeOwnNames(journal, journals, disk);
    journals.move(id, 'committed', 'done');
    return { as: 'completed' };
  }
  if (phase === 'prepared') {
    await revertSteps(journal, disk);
    await journals.enter(id, 'prepared', 'aborted');
  }
  const now: Phase = phase === 'prepared' ? 'aborted' : phase;
  // An edit that was never begun has changed nothing, whatever the disk is like.
  const { unmet } =
    now === 'aborted' ? await checkRequirements(actionsOf(journal.steps), disk) : nothingUnmet;
  await removeOwnNames(journal, journals, disk);
  if (unmet.length === 0) {
    journals.remove({ id, phase: now });
    return { as: 'undone' };
  }
  journals.move(id, now, 'conflict');
  const file = journals.file({ id, phase: 'conflict' });
  return { as: 'undone', conflict: { paths: unmet, message: keptAsChanged(id, unmet, file) } };
}

const nothingUnmet = { unmet: [] };

/** Removes the entries that an edit made in the tree for its own use. */
async function removeOwnNames({ steps }: Journal, journals: Journals, disk: PinnedDisk): Promise<void> {
  const { files, pins, tree } = disk;
  const names = ownNames(steps);
  for (const name of names) {
    const facts = tree.facts(name);
    if (facts?.kind === 'folder') files.removeFolder(pins.entry(name));
    else if (facts) journals.discard(pins.entry(name));
  }
  // Also for names that were gone: their removal may have been interrupted before it was on the disk.
  await syncFoldersOf(names, disk);
}

/**
 * Reverts the steps that were applied, the last one first, judging by the tree alone: can be called again wherever it
 * was interrupted. Leaves alone what another program has changed since.
 */
async function revertSteps({ steps }: Journal, disk: PinnedDisk): Promise<void> {
  for (const batch of [...stepBatches(steps)].reverse()) {
    revertBatch(steps, batch, disk);
    await syncFoldersOf(touchedPaths(steps, batch), disk);
  }
}

function revertBatch(steps: readonly Step[], [from, to]: StepBatch, disk: PinnedDisk): void {
  for (const [offset, step] of [...steps.slice(from, to).entries()].reverse()) {
    const index = from + offset;
    const { action } = step;
    const [staged, kept] = [stagedAt(steps, index), keptAt(steps, index)];
    if (action.kind === 'put' && action.before) revertReplace(action, step, staged, kept, disk);
    else if (action.kind === 'put') revertCreate(action, step, staged, kept, disk);
    else if (action.kind === 'make_folder') revertMakeFolder(action.path, staged, disk);
    else if (action.kind === 'move' && step.kept !== undefined) revertLinkedMove(action, step.kept, disk);
    else if (action.kind === 'move') revertMove(action, actionsOf(steps.slice(index + 1)), disk);
    else revertRemove(action, step, kept, disk);
  }
}

/** The file was replaced if its staged content is gone and the old one is kept. */
function revertReplace(
  action: StepAction & { kind: 'put' },
  step: Step,
  staged: string,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.facts(kept)) return;
  if (tree.facts(staged)) {
    // The second name of a file that was not replaced would keep a folder from being empty that is to be removed.
    if (step.kept !== undefined) files.unlink(pins.entry(kept));
  } else if (hasContent(action.path, action.after, tree))
    files.rename(pins.entry(kept), pins.entry(action.path));
}

/** The new file is ours if it is the staged one, or if the staged one is gone and its marker is left. */
function revertCreate(
  action: StepAction & { kind: 'put' },
  { links }: Step,
  staged: string,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  const [ready, made] = [tree.facts(staged), tree.facts(action.path)];
  const isOurs = links ? isSame(ready, made) : !ready && tree.facts(kept) !== undefined;
  if (!isOurs || !hasContent(action.path, action.after, tree)) return;
  if (links) files.unlink(pins.entry(action.path));
  else files.rename(pins.entry(action.path), pins.entry(staged));
}

function revertMakeFolder(place: string, staged: string, { files, pins, tree }: PinnedDisk): void {
  if (tree.facts(staged) || tree.facts(place)?.kind !== 'folder') return;
  if (tree.list(place).length > 0) return;
  files.rename(pins.entry(place), pins.entry(staged));
  pins.forget(place);
}

function revertRemove(
  action: StepAction & { kind: 'remove' | 'remove_folder' },
  { links }: Step,
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  const isFree = tree.isThere(path.dirname(action.path)) && !tree.facts(action.path);
  if (!tree.facts(kept) || !isFree) return;
  const [aside, place] = [pins.entry(kept), pins.entry(action.path)];
  if (!links || action.kind === 'remove_folder' || !tryLink(aside, place, files)) files.rename(aside, place);
}

/** Links may turn out to be unsupported only now: none was needed to set the entry aside. */
function tryLink(place: string, second: string, files: FileSystem): boolean {
  try {
    files.link(place, second);
    return true;
  } catch (thrown) {
    if (lacksLinks(thrown)) return false;
    throw thrown;
  }
}

function revertMove(
  { from, to, identity }: StepAction & { kind: 'move' },
  later: readonly StepAction[],
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.isThere(path.dirname(from)) || !tree.isThere(path.dirname(to))) return;
  // Without hard links, a file that a later step replaced was restored as a copy, which is another file.
  const before = replacementOf(to, later)?.before;
  const isThere =
    hasIdentity(tree.facts(to), identity) || (before !== undefined && hasContent(to, before, tree));
  if (!(isRespelling(from, to) ? isRespelled(from, to, tree) : isThere)) return;
  if (isRespelling(from, to) || !tree.facts(from)) files.rename(pins.entry(to), pins.entry(from));
  pins.forget(to);
}

/**
 * Gives the old name back to the file that had it when the file was moved, which another program may have replaced.
 * A power loss may have left neither the old name nor the new one.
 */
function revertLinkedMove(
  { from, to, identity }: StepAction & { kind: 'move' },
  kept: string,
  { files, pins, tree }: PinnedDisk,
): void {
  if (!tree.isThere(path.dirname(from))) return;
  const [aside, there] = [tree.facts(kept), tree.facts(from)];
  if (aside && there && !isSame(aside, there)) {
    // Another program has made a file of the old name since: the moved file keeps its new name, or gets it again.
    if (tree.isThere(path.dirname(to)) && !tree.facts(to)) files.link(pins.entry(kept), pins.entry(to));
    return;
  }
  if (aside && !there) files.link(pins.entry(kept), pins.entry(from));
  if ((aside || there) && hasIdentity(tree.facts(to), identity)) files.unlink(pins.entry(to));
}

function isRespelled(from: string, to: string, tree: PinnedTree): boolean {
  const names = tree.list(path.dirname(from));
  return names.includes(path.basename(to)) && !names.includes(path.basename(from));
}

function hasIdentity(facts: Facts | undefined, { kind, inode }: Identity): boolean {
  return facts?.kind === kind && facts.inode === inode;
}

function isSame(one: Facts | undefined, other: Facts | undefined): boolean {
  return one !== undefined && one.inode === other?.inode && one.device === other.device;
}
