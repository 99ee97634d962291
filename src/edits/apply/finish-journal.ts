import type { PinnedDisk } from '../disk/pinned-disk.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import { keptAsChanged } from '../edit-errors.ts';
import type { Journal } from './journal.ts';
import type { Filed, Journals, Phase } from './journal-store.ts';
import { actionsOf, ownNames } from './plan-steps.ts';
import { checkRequirements } from './requirements.ts';
import { revertSteps } from './revert-steps.ts';

/** How an edit was ended that had been begun. */
export interface JournalEnd {
  readonly as: 'undone' | 'completed';
  /** What somebody else has changed, so that it could not be restored. */
  readonly conflict?: { readonly paths: readonly string[]; readonly message: string };
}

/**
 * Ends an edit from wherever it was stopped: one that was committed is completed, any other is taken back whole. May
 * be stopped itself at any point, and called again.
 */
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
  // What was never begun has not changed anything, whatever the disk is like.
  const { unmet } = now === 'aborted' ? await checkRequirements(actionsOf(journal.steps), disk) : nobody;
  await removeOwnNames(journal, journals, disk);
  if (unmet.length === 0) {
    journals.remove({ id, phase: now });
    return { as: 'undone' };
  }
  journals.move(id, now, 'conflict');
  const file = journals.file({ id, phase: 'conflict' });
  return { as: 'undone', conflict: { paths: unmet, message: keptAsChanged(id, unmet, file) } };
}

const nobody = { unmet: [] };

/** Removes what an edit has put in the tree for its own use. */
async function removeOwnNames({ steps }: Journal, journals: Journals, disk: PinnedDisk): Promise<void> {
  const { files, pins, tree } = disk;
  const names = ownNames(steps);
  for (const name of names) {
    const facts = tree.facts(name);
    if (facts?.kind === 'folder') files.removeFolder(pins.entry(name));
    else if (facts) journals.discard(pins.entry(name));
  }
  // Of those too that were gone: who removed them may have been stopped before it was on the disk.
  await syncFoldersOf(names, disk);
}
