import { isPathWithin } from '../platform/files/path-within.ts';
import { editOf, type Journal } from './apply/journal.ts';
import type { Filed, Journals } from './apply/journal-store.ts';
import type { FileSystem } from './disk/file-system.ts';
import type { Edit } from './plan.ts';

/** An edit that was applied, with its record. */
export interface PastEdit {
  readonly filed: Filed;
  readonly journal: Journal;
  readonly edit: Edit;
}

/** Returns the edits of some roots that are still on record, the latest first. */
export function historyOf(journals: Journals, roots: readonly string[]): readonly PastEdit[] {
  const past = journals.list().flatMap((filed) => {
    if (!isApplied(filed)) return [];
    const journal = journals.read(filed);
    return journal && overlap(journal.roots, roots) ? [{ filed, journal }] : [];
  });
  past.sort((a, b) => b.journal.at - a.journal.at);
  const undoneBy = new Map<string, string>();
  for (const { journal } of past) {
    // The latest comes first: an undo that was itself undone has no effect.
    if (journal.undoes !== undefined && !undoneBy.has(journal.id)) undoneBy.set(journal.undoes, journal.id);
  }
  return past.map((one) => ({ ...one, edit: editOf(one.journal, [], undoneBy.get(one.journal.id)) }));
}

/** True if the edit of a record is on the disk. */
export function isApplied({ phase }: Filed): boolean {
  return phase === 'done' || phase === 'committed';
}

/** Returns the time of the latest edit, from the record that was written last; 0 if there is none. */
export function latestAt(journals: Journals, files: FileSystem): number {
  const times = journals.list().flatMap((filed) => {
    const facts = isApplied(filed) ? files.look(journals.file(filed)) : undefined;
    return facts ? [{ filed, modified: facts.modified }] : [];
  });
  const [latest] = times.sort((a, b) => (a.modified < b.modified ? 1 : -1));
  return (latest && journals.read(latest.filed)?.at) ?? 0;
}

/** True if a folder of one list contains a folder of the other. */
export function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => isPathWithin(one, other) || isPathWithin(other, one)));
}
