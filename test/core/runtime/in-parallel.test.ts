import { describe, expect, it } from 'vitest';
import { inBatches, inParallel } from '../../../src/core/runtime/in-parallel.ts';

/** Work whose items end when the test says so. */
function openWork() {
  const started: number[] = [];
  const ends = new Map<number, { readonly resolve: () => void; readonly reject: (failure: Error) => void }>();
  const act = (item: number) =>
    new Promise<void>((resolve, reject) => {
      started.push(item);
      ends.set(item, { resolve, reject });
    });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (...items: readonly number[]) => {
    for (const item of items) ends.get(item)?.resolve();
    await settled();
  };
  const fail = async (item: number) => {
    ends.get(item)?.reject(new Error(`item ${item}`));
    await settled();
  };
  return { started, act, end, fail };
}

describe('items in batches', () => {
  it('start together when half of those in progress are done', async () => {
    const { started, act, end } = openWork();
    const done = inBatches([1, 2, 3, 4, 5, 6, 7], 4, act);
    expect(started).toEqual([1, 2, 3, 4]);
    await end(2);
    expect(started).toHaveLength(4);
    await end(1);
    expect(started).toEqual([1, 2, 3, 4, 5, 6]);
    await end(3, 4, 5, 6);
    expect(started).toHaveLength(7);
    await end(7);
    await done;
  });

  it('are all awaited after a failure, which is thrown, and none is started any more', async () => {
    const { started, act, end, fail } = openWork();
    let isOver = false;
    const done = inBatches([1, 2, 3, 4], 2, act).finally(() => {
      isOver = true;
    });
    done.catch(() => {});
    await fail(1);
    expect(isOver).toBe(false);
    await end(2);
    await expect(done).rejects.toThrow('item 1');
    expect(started).toEqual([1, 2]);
  });

  it('may be none, or one at a time', async () => {
    const seen: number[] = [];
    const note = async (item: number) => void seen.push(item);
    await inBatches([], 4, note);
    await inBatches([1, 2, 3], 1, note);
    await inParallel([4, 5], 1, note);
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
