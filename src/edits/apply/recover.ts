import { codeOf } from '../disk/file-system.ts';
import { benchOver } from '../disk/pinned-disk.ts';
import { PinnedFolders } from '../disk/pinned-folders.ts';
import type { Recovery } from '../edits.ts';
import { overlap } from '../history.ts';
import { type Ending, endJournal } from './finish-journal.ts';
import type { Journal } from './journal.ts';
import type { Filed } from './journals.ts';
import type { Means } from './transaction.ts';
import type { WorkspaceLock } from './workspace-lock.ts';

/** What became of edits that were left half done, and what forbids any other until it is put right. */
export interface Recovered extends Recovery {
  readonly blocked: readonly string[];
}

/** Ends what processes left half done on some roots; what another process is doing right now is left to it. */
export async function recover(
  means: Means,
  lock: WorkspaceLock,
  held: readonly string[] = [],
): Promise<Recovered> {
  const endings: { readonly id: string; readonly ending: Ending }[] = [];
  const blocked: string[] = [];
  for (const filed of means.journals.list().filter(isUnfinished)) {
    const journal = means.journals.read(filed);
    if (!journal && means.journals.has(filed.id, filed.phase))
      blocked.push(unreadable(means.journals.file(filed)));
    if (!journal || !overlap(journal.roots, means.roots)) continue;
    const missing = journal.roots.filter((root) => !held.includes(root));
    const ending = await endLocked(filed, journal, missing, means, lock).catch((thrown: unknown) => {
      means.log('error', 'edit.recovery', { id: filed.id, code: codeOf(thrown), thrown });
      blocked.push(notEnded(filed.id, codeOf(thrown), means.journals.file(filed)));
      return undefined;
    });
    if (ending) endings.push({ id: filed.id, ending });
  }
  const idsOf = (as: Ending['as']) => endings.flatMap(({ id, ending }) => (ending.as === as ? [id] : []));
  const conflicts = endings.flatMap(({ ending }) => ending.conflict?.message ?? []);
  return {
    undone: idsOf('undone'),
    completed: idsOf('completed'),
    conflicts: [...conflicts, ...blocked],
    blocked,
  };
}

function isUnfinished({ phase }: Filed): boolean {
  return phase !== 'new' && phase !== 'done' && phase !== 'conflict';
}

async function endLocked(
  filed: Filed,
  journal: Journal,
  roots: readonly string[],
  { files, journals, proof }: Means,
  lock: WorkspaceLock,
): Promise<Ending | undefined> {
  const release = await lock.tryTake(roots);
  if (!release) return undefined;
  const pins = new PinnedFolders(files, journal.roots, proof);
  const end = async () => {
    // Whoever had the lock may have come further meanwhile.
    if (!journals.has(filed.id, filed.phase)) return undefined;
    return endJournal(filed, journal, journals, benchOver(files, pins));
  };
  return end().finally(() => {
    pins.close();
    release();
  });
}

function unreadable(file: string): string {
  return `The record of an edit that was not ended cannot be read: ${file}. Compare the workspace with version control, then move that file away.`;
}

function notEnded(id: string, code: string | undefined, file: string): string {
  return `The edit ${id} was left half done and could not be taken back (${code ?? 'see the log'}). What is needed for that is in ${file}`;
}
