import { describe, expect, it, vi } from 'vitest';
import { CallInProgress, CallsInProgress } from '../../../src/core/runtime/calls-in-progress.ts';
import { CancelSource } from '../../../src/core/runtime/cancellation.ts';

describe('a register of calls in progress', () => {
  it('has a call from its beginning until it is removed, which happens once', () => {
    const onRemoved = vi.fn();
    const calls = new CallsInProgress({ onRemoved });
    const [one, other] = [
      calls.add(new CallInProgress({ id: 1 })),
      calls.add(new CallInProgress({ id: '1' })),
    ];
    expect([calls.find(1), calls.find('1'), calls.find(2)]).toEqual([one, other, undefined]);
    expect([calls.remove(one), calls.remove(one)]).toEqual([true, false]);
    expect([calls.count, calls.find(1), [...calls]]).toEqual([1, undefined, [other]]);
    expect(onRemoved.mock.calls).toEqual([[1]]);
  });

  it('is full in all, or for one owner; calls without an owner count for none', () => {
    const calls = new CallsInProgress({ most: 3, mostOfOwner: 2 });
    for (const owner of ['greedy', 'greedy', undefined]) calls.add(new CallInProgress({ owner }));
    expect(calls.isFull).toBe(true);
    expect(['greedy', 'other', undefined].map((owner) => calls.isFullFor(owner))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('removes a call when its work has ended, also where that throws at once', async () => {
    const calls = new CallsInProgress();
    await expect(calls.run(new CallInProgress(), async () => 'done')).resolves.toBe('done');
    const fail = (): Promise<void> => {
      throw new Error('It failed.');
    };
    await expect(calls.run(new CallInProgress(), fail)).rejects.toThrow('It failed.');
    expect(calls.count).toBe(0);
  });

  it('cancels a call with the reason of its caller, and lets go of the caller when it has ended', async () => {
    const calls = new CallsInProgress();
    const caller = new CancelSource();
    const [call, ended] = [new CallInProgress(), new CallInProgress()];
    const never = new Promise<void>(() => {});
    void calls.run(call, () => never, caller);
    await calls.run(ended, async () => {}, caller);
    caller.abort('enough');
    expect([call.reason, ended.aborted]).toEqual(['enough', false]);
    const late = new CallInProgress();
    void calls.run(late, () => never, caller);
    expect(late.reason).toBe('enough');
  });

  it('is idle at once where nothing is in progress, and else when the last call has been removed', async () => {
    const calls = new CallsInProgress();
    await calls.idle();
    const both = [calls.add(new CallInProgress()), calls.add(new CallInProgress())];
    const heard = vi.fn();
    const idle = calls.idle().then(heard);
    for (const call of both) {
      await Promise.resolve();
      expect(heard).not.toHaveBeenCalled();
      calls.remove(call);
    }
    await idle;
  });

  it('ends all calls, and each that comes later at once, with a reason of its own', async () => {
    const calls = new CallsInProgress();
    const call = calls.add(new CallInProgress());
    const ended = calls.end(() => new Error('It ends.'));
    const late = calls.add(new CallInProgress());
    expect([call.reason, late.reason]).toEqual([new Error('It ends.'), new Error('It ends.')]);
    expect(call.reason).not.toBe(late.reason);
    for (const one of [call, late]) calls.remove(one);
    await ended;
  });
});
