import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withSeed } from '../../../with-seed.ts';
import { callFor, expectOfDisk, openOverlayWorld } from './asking.ts';

/** One who asks: about the disk, or about a text of its own; some leave early. */
const asker = fc.record({
  /** In which line the declaration is; none on the disk. */
  line: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 4 }),
  questions: fc.integer({ min: 1, max: 3 }),
  leaves: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined, freq: 5 }),
  pause: fc.integer({ min: 0, max: 3 }),
});

it('each of 50 who ask at once, some with other text, gets answers of the text that it means', {
  timeout: 120_000,
}, async () => {
  const world = await openOverlayWorld();
  await world.definition();
  await fc.assert(
    fc.asyncProperty(fc.array(asker, { minLength: 50, maxLength: 50 }), async (askers) => {
      const crossed: unknown[] = [];
      let answered = 0;
      const note = (found: readonly string[], line = 0) => {
        answered += 1;
        if (found.join() !== `a.txt ${line}:9`) crossed.push({ found, line });
      };
      await Promise.all(
        askers
          .map(async ({ line, questions, leaves, pause }) => {
            for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
            const call = leaves === undefined ? world.call : callFor(Math.max(1, leaves));
            const rounds = Array.from({ length: questions });
            if (line === undefined) for (const _ of rounds) note(await world.definition(world.backend, call));
            else
              await world.overlay(
                { 'a.txt': `${'\n'.repeat(line)}function alpha\n` },
                async (overlaid) => {
                  for (const _ of rounds) note(await world.definition(overlaid, call), line);
                },
                call,
              );
          })
          .map((asked) =>
            asked.catch((error) => expect(['timed_out', 'busy', 'cancelled']).toContain(error.code)),
          ),
      );
      expect(crossed).toEqual([]);
      const stayed = askers.filter(({ leaves }) => leaves === undefined);
      expect(answered).toBeGreaterThanOrEqual(stayed.reduce((sum, { questions }) => sum + questions, 0));
      await expectOfDisk(world);
    }),
    withSeed({ numRuns: 20, endOnFailure: true }),
  );
});
