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

/** Like `inParallel`, but starts the next items when half of those in progress are done: what they send goes out at once. */
export async function inBatches<T>(
  items: Iterable<T>,
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  let running = 0;
  await new Promise<void>((resolve) => {
    const start = (item: T) => {
      running += 1;
      act(item)
        .catch((failure: unknown) => failures.push(failure))
        .then(goOn);
    };
    const fill = () => {
      for (let room = atOnce - running; room > 0 && failures.length === 0; room -= 1) {
        const next = queue.next();
        if (next.done) break;
        start(next.value);
      }
      if (running === 0) resolve();
    };
    const goOn = () => {
      running -= 1;
      if (running <= atOnce / 2) fill();
    };
    fill();
  });
  if (failures.length > 0) throw failures[0];
}
