import { describe, expect, test } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { SharedQuota } from '../../src/core/runtime/bounded-cache.ts';
import type { Plan } from '../../src/edits/plan.ts';
import { newPlanId, PlanStore } from '../../src/edits/plan-store.ts';
import { refusalOf } from './plan-of.ts';

function planWith(bytes: number): Plan {
  const content = { kind: 'file', bytes: Buffer.alloc(bytes), hash: '', mode: 0o644 } as const;
  return {
    id: newPlanId(),
    title: 'a test',
    roots: ['/w'],
    files: [],
    operations: [{ kind: 'remove', path: '/w/a', before: content }],
    protectedPaths: [],
    confirm: [],
  };
}

describe('the store of plans', () => {
  test('finds a plan by its id', () => {
    const store = new PlanStore();
    const plan = planWith(1);
    store.keep(plan);
    expect(plan.id).toMatch(/^p-[a-z2-9]{10}$/);
    expect(store.find(plan.id)).toBe(plan);
  });

  test('says what to do about an unknown plan', () => {
    const refusal = refusalOf(() => new PlanStore().find('p-\u202e'));
    expect(refusal.code).toBe('not_found');
    expect(refusal.message).toContain('belong to another lspan, token or workspace, or be too old');
    expect(refusal.message).not.toContain('\u202e');
    expect(refusal.nextStep).toContain('Preview');
  });

  test('EDT-36 reports the edit that an applied plan became', () => {
    const store = new PlanStore();
    const plan = planWith(1);
    store.keep(plan);
    store.markApplied(plan.id, 'e-1');
    const refusal = refusalOf(() => store.find(plan.id));
    expect(refusal.code).toBe('already_applied');
    expect(refusal.message).toContain('e-1');
  });

  test('drops the least recently used plan when there are too many, and says so', () => {
    const store = new PlanStore();
    const plans = Array.from({ length: limits.edit.plans }, () => planWith(1));
    const [first, second] = plans.map(({ id }) => id);
    for (const plan of plans) store.keep(plan);
    store.find(first ?? '');
    store.keep(planWith(1));
    expect(store.find(first ?? '')).toBe(plans[0]);
    expect(refusalOf(() => store.find(second ?? ''))).toMatchObject({
      code: 'stale',
      message: expect.stringContaining('too many newer plans'),
    });
  });

  test('TRN-24 drops a plan that has not been used for 15 minutes', () => {
    let now = 0;
    const store = new PlanStore(undefined, () => now);
    const plan = planWith(1);
    store.keep(plan);
    for (let time = 0; time < 3; time += 1) {
      now += limits.edit.planUnused;
      expect(store.find(plan.id)).toBe(plan);
    }
    now += limits.edit.planUnused + 1;
    expect(refusalOf(() => store.find(plan.id)).code).toBe('stale');
  });

  test('remembers the edits of a limited number of plans', () => {
    const store = new PlanStore();
    const plans = Array.from({ length: limits.edit.fates + 1 }, () => planWith(1));
    for (const plan of plans) store.keep(plan);
    const codes = plans.slice(0, 2).map(({ id }) => refusalOf(() => store.find(id)).code);
    expect(codes).toEqual(['not_found', 'stale']);
  });

  test('counts the size of a plan besides the contents of files', () => {
    const room = new SharedQuota(limits.edit.planBytes);
    new PlanStore(room).keep(planWith(0));
    expect(room.bytes).toBe(limits.edit.planItem);
  });

  test('drops the oldest plans when they are too large, but never the latest', () => {
    const store = new PlanStore();
    const [first, second] = [planWith(limits.edit.planBytes / 2 + 1), planWith(limits.edit.planBytes / 2)];
    store.keep(first);
    store.keep(second);
    expect(throws(() => store.find(first.id))).toBe(true);
    expect(store.find(second.id)).toBe(second);
  });
});

function throws(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}
