import { limits } from '../../core/limits.ts';

/** Does things to all items, a few at once, and ends when none is under way any more, with the first failure if any. */
export async function inParallel<T>(items: Iterable<T>, act: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async () => {
    for (let next = queue.next(); !next.done && failures.length === 0; next = queue.next())
      await act(next.value).catch((failure: unknown) => failures.push(failure));
  };
  await Promise.all(Array.from({ length: limits.undo.atOnce }, work));
  if (failures.length > 0) throw failures[0];
}
