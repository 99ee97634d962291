import { once } from 'node:events';
import { expect, it } from 'vitest';
import { beginCall, cancelSignalOf, withinPart } from '../../src/core/call.ts';
import { LspanError } from '../../src/core/errors.ts';

it('a call that somebody takes apart keeps its end', async () => {
  const caller = new AbortController();
  using call = beginCall({ time: 60_000 }, caller.signal);
  const copied = { ...call, report: () => {} };
  expect([copied.signal, copied.deadline]).toEqual([expect.any(AbortSignal), expect.any(Number)]);
  caller.abort();
  expect(copied.signal.reason).toMatchObject({ code: 'cancelled' });
  expect(cancelSignalOf(copied).reason).toBe(copied.signal.reason);
});

it('a call that is given what is left of another tells so many seconds as a person would say', async () => {
  using call = beginCall({ time: 12.345678 });
  if (!call.signal.aborted) await once(call.signal, 'abort');
  expect(call.signal.reason).toMatchObject({
    code: 'timed_out',
    message: 'The call did not finish within 0.0123 s.',
  });
});

it.each([
  ['all that is left', {}, 60_000],
  ['a share of it', { share: 0.5 }, 30_000],
  ['a share of what a margin leaves', { share: 0.5, margin: 20_000 }, 20_000],
  ['no more than is given', { share: 0.5, most: 1_000 }, 1_000],
  ['no more than is left', { most: 90_000 }, 60_000],
  ['a moment, where the margin is all that is left', { margin: 90_000 }, 1],
])('a part of a call may take %s', async (_, options, expected) => {
  using call = beginCall({ time: 60_000, scope: 'one' });
  const part = await withinPart(call, options, async ({ deadline, scope }) => ({
    scope,
    time: deadline - performance.now(),
  }));
  expect(part.scope).toBe('one');
  expect(Math.abs(part.time - expected)).toBeLessThan(1_000);
});

it('a part of a call ends with the call, or with a signal of its own, and tells why', async () => {
  const [caller, other] = [new AbortController(), new AbortController()];
  using call = beginCall({ time: 60_000 }, caller.signal);
  const heard: unknown[] = [];
  const parts = [[], [other.signal]].map((signals) =>
    withinPart(
      call,
      {},
      (part) => once(part.signal, 'abort').then(() => heard.push(part.signal.reason)),
      ...signals,
    ),
  );
  other.abort(new LspanError('stale', 'Other texts.'));
  await parts[1];
  expect(call.signal.aborted).toBe(false);
  caller.abort();
  await parts[0];
  expect(heard).toMatchObject([{ code: 'stale' }, { code: 'cancelled' }]);
});
