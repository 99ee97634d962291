import { type ProblemDelta, problemDelta } from '../../core/problem-delta.ts';
import type { ProblemSnapshot } from '../state/problem-snapshots.ts';

/** What changed between two answers, over the files that both know for sure. */
export interface Comparison extends ProblemDelta {
  readonly compared: number;
  /** Files that are meant now and that one of the answers does not know for sure. */
  readonly notCompared: readonly string[];
}

/** Compares an answer with an earlier one, over the files that are meant now. */
export function compareProblems(
  before: ProblemSnapshot,
  now: ProblemSnapshot,
  meant: readonly string[],
  /** A file that is gone has taken its problems with it. */
  isGone: (path: string) => boolean,
): Comparison {
  const [wasCovered, isCovered] = [coverageOf(before), coverageOf(now)];
  const isComparable = (path: string) => wasCovered(path) && (isCovered(path) || isGone(path));
  const compared = new Set(meant.filter(isComparable));
  const isCompared = ({ path }: { readonly path: string }) => compared.has(path);
  const delta = problemDelta(before.sightings.filter(isCompared), now.sightings.filter(isCompared));
  return { ...delta, compared: compared.size, notCompared: meant.filter((path) => !compared.has(path)) };
}

function coverageOf({ covered, whole }: ProblemSnapshot): (path: string) => boolean {
  const known = new Set(covered);
  return (path) => whole || known.has(path);
}
