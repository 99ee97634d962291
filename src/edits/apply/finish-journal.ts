import type { PinnedDisk } from '../disk/pinned-disk.ts';
import { syncFoldersOf } from '../disk/sync-folders.ts';
import { keptAsChanged } from '../edit-errors.ts';
import type { Journal } from './journal.ts';
import type { Filed, Journals, Phase } from './journal-store.ts';
import { actionsOf, ownNames } from './plan-steps.ts';
import { checkRequirements } from './requirements.ts';
import { revertSteps } from './revert-steps.ts';

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
