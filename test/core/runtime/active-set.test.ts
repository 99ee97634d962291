import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ActiveSet } from '../../../src/core/runtime/active-set.ts';

it('tells who is there, whoever comes and goes', () => {
  const steps = fc.array(fc.oneof(fc.record({ enters: fc.nat(5) }), fc.record({ leaves: fc.nat(20) })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (taken) => {
      const passers = new ActiveSet<number>();
      const doors: { readonly leave: () => void; readonly one: number }[] = [];
      const there = new Set<(typeof doors)[number]>();
      for (const one of taken) {
        if ('enters' in one) {
          const door = { leave: passers.add(one.enters), one: one.enters };
          doors.push(door);
          there.add(door);
        } else {
          // Who has left can leave again, which moves nobody else.
          const door = doors[one.leaves];
          door?.leave();
          if (door) there.delete(door);
        }
        expect([...passers].sort()).toEqual([...there].map((door) => door.one).sort());
        expect(passers.size).toBe(there.size);
      }
    }),
    { verbose: true },
  );
});

it('one who leaves while all are told is told no more', () => {
  const passers = new ActiveSet<() => void>();
  const told: string[] = [];
  passers.add(() => {
    told.push('first');
    leave();
  });
  const leave = passers.add(() => told.push('second'));
  for (const tell of passers) tell();
  expect(told).toEqual(['first']);
});
