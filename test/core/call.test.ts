import { once } from 'node:events';
import { expect, it } from 'vitest';
import { beginCall, cancelSignalOf } from '../../src/core/call.ts';

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
