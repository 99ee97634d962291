import { codeOf } from '../disk/file-system.ts';
import { pinDisk } from '../disk/pinned-disk.ts';
import { PinnedFolders } from '../disk/pinned-folders.ts';
import type { Recovery } from '../edits.ts';
import { overlap } from '../history.ts';
import { finishJournal, type JournalEnd } from './finish-journal.ts';
import type { Journal } from './journal.ts';
import type { Filed } from './journal-store.ts';
import type { TransactionContext } from './transaction.ts';
import type { WorkspaceLock } from './workspace-lock.ts';

/** The outcome of a recovery, with the reasons that block any other edit. */
interface Recovered extends Recovery {
  readonly blocked: readonly string[];
}

/** Finishes edits that processes left half done, unless one is still at work; the caller has locked `locked`. */
export async function recover(
  context: TransactionContext,
  lock: WorkspaceLock,
  locked: readonly string[] = [],
): Promise<Recovered> {
  const endings: { readonly journal: Journal; readonly ending: JournalEnd }[] = [];
  const blocked: string[] = [];
  for (const filed of context.journals.list().filter(isUnfinished)) {
    const journal = context.journals.read(filed);
    if (!journal && context.journals.has(filed.id, filed.phase))
      blocked.push(unreadable(context.journals.file(filed)));
    if (!journal || !overlap(journal.roots, context.roots)) continue;
    const unlocked = journal.roots.filter((root) => !locked.includes(root));
    const ending = await endLocked(filed, journal, unlocked, context, lock).catch((thrown: unknown) => {
      context.log('error', 'edit.recovery', { id: filed.id, code: codeOf(thrown), thrown });
      blocked.push(notEnded(filed.id, codeOf(thrown), context.journals.file(filed)));
      return undefined;
    });
    if (ending) endings.push({ journal, ending });
  }
  const ended = (as: JournalEnd['as']) =>
    endings.flatMap(({ journal, ending }) => (ending.as === as ? [journal] : []));
  const conflicts = endings.flatMap(({ ending }) => ending.conflict?.message ?? []);
  return {
    undone: ended('undone').map(({ id }) => id),
    undoneCalls: ended('undone').flatMap(({ call }) => call ?? []),
    completed: ended('completed').map(({ id }) => id),
    conflicts: [...conflicts, ...blocked],
    blocked,
  };
}

/** True if an edit was neither ended nor undone. */
export function isUnfinished({ phase }: Filed): boolean {
  return phase !== 'new' && phase !== 'done' && phase !== 'conflict';
}

async function endLocked(
  filed: Filed,
  journal: Journal,
  roots: readonly string[],
  { files, journals, proof }: TransactionContext,
  lock: WorkspaceLock,
): Promise<JournalEnd | undefined> {
  const release = await lock.tryTake(roots);
  if (!release) return undefined;
  const pins = new PinnedFolders(files, journal.roots, proof);
  const end = async () => {
    // The previous owner of the lock may have reached another phase meanwhile.
    if (!journals.has(filed.id, filed.phase)) return undefined;
    return finishJournal(filed, journal, journals, pinDisk(files, pins));
  };
  return end().finally(() => {
    pins.close();
    release();
  });
}

function unreadable(file: string): string {
  return `The journal of an unfinished edit cannot be read: ${file}. Compare the workspace with version control, then move that file away.`;
}

function notEnded(id: string, code: string | undefined, file: string): string {
  return `The edit ${id} is incomplete and could not be undone (${code ?? 'see the log'}). Its journal is ${file}`;
}
