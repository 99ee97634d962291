import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { registerOfClients, takeCall } from '../../../src/frontends/mcp/take-call.ts';

const { inFlightOfToken } = limits.http;

it('TRN-17 calls that go on though their clients have hung up keep nobody out but their own token', async () => {
  const calls = registerOfClients();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const taken = Array.from({ length: inFlightOfToken }, () => takeCall(calls, () => ended, 'greedy'));
  await expect(takeCall(calls, () => ended, 'greedy')).rejects.toMatchObject({ code: 'busy' });
  await expect(takeCall(calls, async () => 'answer', 'other')).resolves.toBe('answer');
  expect(calls.count).toBe(inFlightOfToken);
  end();
  await Promise.all(taken);
  await expect(takeCall(calls, async () => 'answer', 'greedy')).resolves.toBe('answer');
  expect(calls.count).toBe(0);
});

it('without a token all the calls may be of one', async () => {
  const calls = registerOfClients();
  const never = new Promise<void>(() => {});
  for (let times = 0; times < limits.callsInFlight; times += 1) void takeCall(calls, () => never, undefined);
  await expect(takeCall(calls, async () => 'answer', undefined)).rejects.toMatchObject({ code: 'busy' });
  expect(calls.count).toBe(limits.callsInFlight);
});
