import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { watchParent } from '../../../src/platform/processes/parent-exit.ts';

describe('the watch over the parent', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Watches a parent of this number that then changes to another. */
  function watch(first: number) {
    let parent = first;
    const gone = vi.fn();
    const stop = watchParent(gone, () => parent);
    const become = (next: number) => {
      parent = next;
      vi.advanceTimersByTime(limits.parentCheckEvery * 3);
    };
    return { gone, stop, become };
  }

  it('TRN-26 tells once that the parent has changed', () => {
    const { gone, become } = watch(77);
    become(77);
    expect(gone).not.toHaveBeenCalled();
    become(1);
    become(2);
    expect(gone).toHaveBeenCalledOnce();
  });

  it.each([0, 1])('watches nothing when it was started by %d', (init) => {
    const { gone, become } = watch(init);
    become(99);
    expect(gone).not.toHaveBeenCalled();
  });

  it('tells nothing any more when it was ended', () => {
    const { gone, stop, become } = watch(77);
    stop();
    become(1);
    expect(gone).not.toHaveBeenCalled();
  });
});
