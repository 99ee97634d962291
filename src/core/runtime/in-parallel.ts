/** Processes all items, a few at once. Waits until none is in progress any more, then throws the first failure. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const work = async () => {
    for (let next = queue.next(); !next.done && failures.length === 0; next = queue.next())
      await act(next.value).catch((failure: unknown) => failures.push(failure));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw failures[0];
}
