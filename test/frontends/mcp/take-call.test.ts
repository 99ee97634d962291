import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { CancelSource } from '../../../src/core/runtime/cancellation.ts';
import { registerOfClients, takeCall } from '../../../src/frontends/mcp/take-call.ts';

const { inFlightOfToken } = limits.http;
const nobody = { owner: undefined };

it('TRN-17 calls that go on though their clients have hung up keep nobody out but their own token', async () => {
  const calls = registerOfClients();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const taken = Array.from({ length: inFlightOfToken }, () =>
    takeCall(calls, () => ended, { owner: 'greedy' }),
  );
  await expect(takeCall(calls, () => ended, { owner: 'greedy' })).rejects.toMatchObject({ code: 'busy' });
  await expect(takeCall(calls, async () => 'answer', { owner: 'other' })).resolves.toBe('answer');
  expect(calls.count).toBe(inFlightOfToken);
  end();
  await Promise.all(taken);
  await expect(takeCall(calls, async () => 'answer', { owner: 'greedy' })).resolves.toBe('answer');
  expect(calls.count).toBe(0);
});

it('without a token all the calls may be of one', async () => {
  const calls = registerOfClients();
  const never = new Promise<void>(() => {});
  for (let times = 0; times < limits.callsInFlight; times += 1) void takeCall(calls, () => never, nobody);
  await expect(takeCall(calls, async () => 'answer', nobody)).rejects.toMatchObject({ code: 'busy' });
  expect(calls.count).toBe(limits.callsInFlight);
});

it('a call waits for the place of one that was cancelled, until the work of that one has ended', async () => {
  const calls = registerOfClients();
  const ends: (() => void)[] = [];
  const taken = Array.from({ length: limits.callsInFlight }, () => {
    const signal = new CancelSource();
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    return { signal, ended: takeCall(calls, work, { owner: undefined, signal }) };
  });
  taken[3]?.signal.abort();
  let hasBegun = false;
  const waiting = takeCall(
    calls,
    async () => {
      hasBegun = true;
      return calls.count;
    },
    nobody,
  );
  // One place will be free, and one waits for it.
  await expect(takeCall(calls, async () => 'answer', nobody)).rejects.toMatchObject({ code: 'busy' });
  expect(hasBegun).toBe(false);
  ends[3]?.();
  await expect(waiting).resolves.toBe(limits.callsInFlight);
  for (const end of ends) end();
  await Promise.all(taken.map(({ ended }) => ended));
  expect(calls.count).toBe(0);
});

it('a call that waits for a place and is cancelled leaves it to the next', async () => {
  const calls = registerOfClients();
  const ends: (() => void)[] = [];
  const signal = new CancelSource();
  for (let times = 0; times < limits.callsInFlight; times += 1)
    void takeCall(calls, () => new Promise<void>((resolve) => ends.push(resolve)), {
      owner: undefined,
      signal,
    });
  signal.abort();
  const impatient = new CancelSource();
  const first = takeCall(calls, async () => 'first', { owner: undefined, signal: impatient });
  const second = takeCall(calls, async () => 'second', nobody);
  impatient.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  ends[0]?.();
  await expect(second).resolves.toBe('second');
});
