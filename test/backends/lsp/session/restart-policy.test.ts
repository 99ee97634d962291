import { expect, it } from 'vitest';
import { RestartPolicy } from '../../../../src/backends/lsp/session/session-supervisor.ts';

function policyAt() {
  const clock = { now: 1_000_000 };
  return {
    clock,
    policy: new RestartPolicy(
      () => clock.now,
      () => 1,
    ),
  };
}

it('a server that never crashed may start', () => {
  expect(policyAt().policy.verdict()).toEqual({ kind: 'start' });
});

it('restarts back off, twice as long each time, up to a bound', () => {
  const { clock, policy } = policyAt();
  const waits = [250, 500, 1000, 2000].map((expected) => {
    policy.crashed();
    const verdict = policy.verdict();
    clock.now += expected;
    return verdict;
  });
  expect(waits).toEqual([250, 500, 1000, 2000].map((time) => ({ kind: 'wait', time })));
});

it('PRC-02 five crashes in three minutes open the breaker, and one try is allowed after a minute', () => {
  const { clock, policy } = policyAt();
  for (let crash = 0; crash < 5; crash += 1) policy.crashed();
  expect(policy.verdict()).toEqual({ kind: 'open', time: 60_000 });
  clock.now += 60_000;
  expect(policy.verdict()).toEqual({ kind: 'start' });
  policy.crashed();
  expect(policy.verdict()).toEqual({ kind: 'open', time: 60_000 });
});

it('crashes long ago do not count', () => {
  const { clock, policy } = policyAt();
  for (let crash = 0; crash < 4; crash += 1) policy.crashed();
  clock.now += 181_000;
  policy.crashed();
  expect(policy.verdict()).toEqual({ kind: 'wait', time: 250 });
});

it('asking for a restart closes the breaker', () => {
  const { policy } = policyAt();
  for (let crash = 0; crash < 5; crash += 1) policy.crashed();
  policy.reset();
  expect(policy.verdict()).toEqual({ kind: 'start' });
});
