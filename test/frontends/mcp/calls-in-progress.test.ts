import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { CallsInFlight } from '../../../src/frontends/mcp/calls-in-progress.ts';

const { inFlightOfToken } = limits.http;

it('TRN-17 calls that go on though their clients have hung up keep nobody out but their own token', async () => {
  const calls = new CallsInFlight();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const taken = Array.from({ length: inFlightOfToken }, () => calls.take(() => ended, 'greedy'));
  await expect(calls.take(() => ended, 'greedy')).rejects.toMatchObject({ code: 'busy' });
  await expect(calls.take(async () => 'answer', 'other')).resolves.toBe('answer');
  expect(calls.count).toBe(inFlightOfToken);
  end();
  await Promise.all(taken);
  await expect(calls.take(async () => 'answer', 'greedy')).resolves.toBe('answer');
  expect(calls.count).toBe(0);
});

it('without a token all the calls may be of one', async () => {
  const calls = new CallsInFlight();
  const never = new Promise<void>(() => {});
  for (let times = 0; times < limits.callsInFlight; times += 1) void calls.take(() => never);
  await expect(calls.take(async () => 'answer')).rejects.toMatchObject({ code: 'busy' });
  expect(calls.count).toBe(limits.callsInFlight);
});
