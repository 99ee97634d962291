import { limits } from '../../core/limits.ts';
import type { FileSystem } from '../disk/file-system.ts';
import type { Journals } from './journal-store.ts';

/** Removes the records of edits that are too old, too many, or too large; the oldest first. */
export function prune(journals: Journals, files: FileSystem): void {
  const { edits, age, bytes, writing } = limits.undo;
  const now = Date.now();
  const kept = journals
    .list()
    .filter(({ phase }) => phase === 'done' || phase === 'conflict' || phase === 'new')
    .flatMap((filed) => {
      const facts = files.look(journals.file(filed));
      return facts ? [{ filed, size: facts.size, at: Number(facts.modified / 1_000_000n) }] : [];
    })
    .sort((a, b) => b.at - a.at);
  let [count, sum] = [0, 0];
  for (const { filed, size, at } of kept) {
    // A new record belongs to the process that is writing it, until that must have been killed. A process that was
    // merely suspended finds it gone before anything is in the tree.
    const isNew = filed.phase === 'new';
    if (!isNew) [count, sum] = [count + 1, sum + size];
    const isLatest = count === 1;
    if (at < now - (isNew ? writing : age) || (!isLatest && (count > edits || sum > bytes)))
      journals.remove(filed);
  }
}
