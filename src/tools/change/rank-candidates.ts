import type { Checked } from './check-candidate.ts';

/**
 * Orders candidates: fewest errors introduced, then fewest warnings, what is known for sure before what is not, most
 * problems fixed, smallest change, and as they were given; what cannot be made is last.
 */
export function rankCandidates(candidates: readonly Checked[]): Checked[] {
  return candidates
    .map((one, index) => ({ one, key: [...keyOf(one), index] }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ one }) => one);
}

function keyOf({ error, introduced_counts = {}, settled, fixed_count = 0, size = 0 }: Checked): number[] {
  return [
    error ? 1 : 0,
    introduced_counts.error ?? 0,
    introduced_counts.warning ?? 0,
    settled ? 0 : 1,
    -fixed_count,
    size,
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return (a[at] ?? 0) - (b[at] ?? 0);
}
