import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { watchParent } from '../../../src/platform/processes/parent-exit.ts';

describe('watchParent', () => {
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

  it('TRN-26 reports once that the parent has changed', () => {
    const { gone, become } = watch(77);
    become(77);
    expect(gone).not.toHaveBeenCalled();
    become(1);
    become(2);
    expect(gone).toHaveBeenCalledOnce();
  });

  it.each([0, 1])('does nothing if the parent is process %d', (init) => {
    const { gone, become } = watch(init);
    become(99);
    expect(gone).not.toHaveBeenCalled();
  });

  it('reports nothing after it was stopped', () => {
    const { gone, stop, become } = watch(77);
    stop();
    become(1);
    expect(gone).not.toHaveBeenCalled();
  });
});
