import { isPathWithin } from '../platform/files/path-within.ts';
import { editOf, type Journal } from './apply/journal.ts';
import type { Filed, Journals } from './apply/journal-store.ts';
import type { FileSystem } from './disk/file-system.ts';
import type { Edit } from './plan.ts';

/** An edit that was carried out, and where its record is. */
export interface PastEdit {
  readonly filed: Filed;
  readonly journal: Journal;
  readonly edit: Edit;
}

/** The edits that were carried out on roots and are still on record, the latest first. */
export function historyOf(journals: Journals, roots: readonly string[]): readonly PastEdit[] {
  const past = journals.list().flatMap((filed) => {
    if (!isCarriedOut(filed)) return [];
    const journal = journals.read(filed);
    return journal && overlap(journal.roots, roots) ? [{ filed, journal }] : [];
  });
  past.sort((a, b) => b.journal.at - a.journal.at);
  const undoneBy = new Map<string, string>();
  for (const { journal } of past) {
    // The latest comes first: an undo that was itself taken back has undone nothing.
    if (journal.undoes !== undefined && !undoneBy.has(journal.id)) undoneBy.set(journal.undoes, journal.id);
  }
  return past.map((one) => ({ ...one, edit: editOf(one.journal, [], undoneBy.get(one.journal.id)) }));
}

/** Whether a record is of an edit that is on the disk. */
export function isCarriedOut({ phase }: Filed): boolean {
  return phase === 'done' || phase === 'committed';
}

/** When the latest edit on record was made, by the record that was written last; 0 where there is none. */
export function latestAt(journals: Journals, files: FileSystem): number {
  const times = journals.list().flatMap((filed) => {
    const facts = isCarriedOut(filed) ? files.look(journals.file(filed)) : undefined;
    return facts ? [{ filed, modified: facts.modified }] : [];
  });
  const [latest] = times.sort((a, b) => (a.modified < b.modified ? 1 : -1));
  return (latest && journals.read(latest.filed)?.at) ?? 0;
}

/** Whether one of some folders lies in one of others, or the other way round. */
export function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isPathWithin(one, other) || isPathWithin(other, one)));
}
