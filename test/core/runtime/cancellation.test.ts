import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CancelSignal, CancelSource } from '../../../src/core/runtime/cancellation.ts';

/** What can be done with something that ends; listeners are named by numbers. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), listener: fc.nat(3) }),
  fc.record({ kind: fc.constant('remove' as const), listener: fc.nat(3) }),
  fc.record({ kind: fc.constant('abort' as const), reason: fc.constantFrom('one', 'two') }),
);

/** What is heard while the steps are taken. Listener 3 takes listener 0 away when it is called. */
function heard(
  signal: CancelSignal,
  abort: (reason: unknown) => void,
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
): unknown[] {
  const log: unknown[] = [];
  const listeners = [0, 1, 2, 3].map((name) => () => {
    log.push([name, signal.aborted, signal.reason]);
    if (name === 3) signal.removeEventListener('abort', listeners[0] ?? expect.unreachable());
  });
  for (const one of steps) {
    const listener = 'listener' in one ? (listeners[one.listener] ?? expect.unreachable()) : () => {};
    if (one.kind === 'add') signal.addEventListener('abort', listener, { once: true });
    else if (one.kind === 'remove') signal.removeEventListener('abort', listener);
    else abort(one.reason);
    log.push([signal.aborted, signal.reason]);
  }
  return log;
}

it('an ending is heard as an AbortSignal is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [ending, platform] = [new CancelSource(), new AbortController()];
      const ours = heard(ending, (reason) => ending.abort(reason), steps);
      expect(ours).toEqual(heard(platform.signal, (reason) => platform.abort(reason), steps));
    }),
    { verbose: true },
  );
});

it('an ending without a reason has the one of the platform', () => {
  const [ending, platform] = [new CancelSource(), new AbortController()];
  ending.abort();
  platform.abort();
  expect(ending.reason).toEqual(platform.signal.reason);
  expect(() => ending.throwIfAborted()).toThrow(platform.signal.reason.message);
});

describe('its signal for others', () => {
  it('is one of the platform, and the same each time', () => {
    const ending = new CancelSource();
    expect(ending.signal).toBeInstanceOf(AbortSignal);
    expect(ending.signal).toBe(ending.signal);
    expect(AbortSignal.any([ending.signal]).aborted).toBe(false);
  });

  it('aborts with it, whenever it was made', () => {
    const [before, after] = [new CancelSource(), new CancelSource()];
    const { signal } = before;
    for (const ending of [before, after]) ending.abort('why');
    expect([signal, after.signal].map(({ aborted, reason }) => [aborted, reason])).toEqual([
      [true, 'why'],
      [true, 'why'],
    ]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
