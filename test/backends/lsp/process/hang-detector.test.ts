import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HangDetector } from '../../../../src/backends/lsp/process/hang-detector.ts';
import { limits } from '../../../../src/core/limits.ts';

const { idle, busy } = limits.hung;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server whose signs the test sets, and what was done to it. */
function patient(processorTime: () => Promise<number | undefined> = async () => 0) {
  const process = { pid: 1, heard: 10, sent: 10, unread: 0, speak: () => {} };
  const probe = vi.fn();
  const hung = vi.fn();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const nextOutput = () => new Promise<void>((resolve) => Object.assign(process, { speak: resolve }));
  const vitals = new HangDetector(Object.assign(process, { nextOutput }), {
    probe,
    hung,
    ended,
    processorTime,
  });
  const ask = () => {
    const done = vitals.observe();
    process.sent += 1;
    return done;
  };
  return { process, probe, hung, end, vitals, ask };
}

/** A clock of the processor that goes on by a second at each look. */
function working() {
  let time = 0;
  return async () => ++time;
}

describe('PRC-06 PRC-08 a server that was silent through a question', () => {
  it('and does nothing is hung when it says nothing to a probe either', async () => {
    const { probe, hung, ask } = patient();
    ask()();
    expect(probe).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(idle - 1);
    expect(hung).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(hung.mock.calls).toEqual([[idle]]);
  });

  it('and works gets much longer, but not for ever', async () => {
    const { hung, ask } = patient(working());
    ask()();
    await vi.advanceTimersByTimeAsync(busy - 1);
    expect(hung).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(hung.mock.calls).toEqual([[busy]]);
  });

  it('and whose work the platform does not tell gets much longer too', async () => {
    const { hung, ask } = patient(async () => undefined);
    ask()();
    await vi.advanceTimersByTimeAsync(busy - 1);
    expect(hung).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(hung).toHaveBeenCalledOnce();
  });

  it('and then says anything is well, and is examined anew after the next silence', async () => {
    const { process, probe, hung, ask } = patient();
    ask()();
    await vi.advanceTimersByTimeAsync(idle - 1);
    process.heard += 1;
    process.speak();
    await vi.advanceTimersByTimeAsync(busy);
    expect(hung).not.toHaveBeenCalled();
    ask()();
    expect(probe).toHaveBeenCalledTimes(2);
  });

  it('and takes something from a full pipe is well', async () => {
    const { process, hung, ask } = patient();
    process.unread = 1_000_000;
    ask()();
    process.unread = 900_000;
    await vi.advanceTimersByTimeAsync(busy);
    expect(hung).not.toHaveBeenCalled();
  });

  it('and ends by itself is left to that', async () => {
    const { end, hung, ask } = patient();
    ask()();
    end();
    await vi.advanceTimersByTimeAsync(busy);
    expect(hung).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is examined once, however many questions it leaves unanswered', async () => {
    const { probe, hung, ask } = patient();
    for (const done of [ask(), ask(), ask()]) done();
    await vi.advanceTimersByTimeAsync(idle);
    expect(probe).toHaveBeenCalledOnce();
    expect(hung).toHaveBeenCalledOnce();
  });
});

describe('a server is not examined', () => {
  it('when it said something during the question', () => {
    const { process, probe, ask } = patient();
    const done = ask();
    process.heard += 1;
    done();
    expect(probe).not.toHaveBeenCalled();
  });

  it('when it was sent nothing, unless its pipe is full', () => {
    const { process, probe, vitals } = patient();
    vitals.observe()();
    expect(probe).not.toHaveBeenCalled();
    process.unread = 1;
    vitals.observe()();
    expect(probe).toHaveBeenCalledOnce();
  });
});

describe('a server that answers some questions and others never', () => {
  const wait = async (vitals: HangDetector) => {
    const since = performance.now();
    await vi.advanceTimersByTimeAsync(limits.hung.unanswered.time);
    return () => vitals.ranOutOfTime(since);
  };

  it('is hung after two in a row, if it does no work', async () => {
    const { hung, vitals } = patient();
    (await wait(vitals))();
    await vi.advanceTimersByTimeAsync(idle);
    expect(hung).not.toHaveBeenCalled();
    (await wait(vitals))();
    await vi.advanceTimersByTimeAsync(idle);
    expect(hung.mock.calls).toEqual([[idle]]);
  });

  it.each([
    ['works', working(), () => {}],
    ['has answered in between', undefined, (vitals: HangDetector) => vitals.answered()],
  ])('is not if it %s', async (_what, processorTime, between) => {
    const { hung, vitals } = patient(processorTime);
    (await wait(vitals))();
    between(vitals);
    (await wait(vitals))();
    await vi.advanceTimersByTimeAsync(idle);
    expect(hung).not.toHaveBeenCalled();
  });

  it('is not if the questions were asked together, or given little time', async () => {
    const { hung, vitals } = patient();
    const since = performance.now();
    await vi.advanceTimersByTimeAsync(limits.hung.unanswered.time);
    vitals.ranOutOfTime(since);
    vitals.ranOutOfTime(since);
    await vi.advanceTimersByTimeAsync(idle);
    vitals.ranOutOfTime(performance.now() - limits.hung.unanswered.time + 1);
    await vi.advanceTimersByTimeAsync(idle);
    expect(hung).not.toHaveBeenCalled();
  });
});
