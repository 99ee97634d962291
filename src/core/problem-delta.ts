import { pairNearest } from './pair-nearest.ts';
import type { Problem } from './problems.ts';
import { groupBy } from './runtime/group-by.ts';

/** A problem where it was seen: with the text around it, by which it is known again when its line has moved. */
export interface Sighting {
  readonly path: string;
  readonly problem: Problem;
  /** The line that it begins on. */
  readonly line: string;
  /** The nearest lines above and below that are not blank. */
  readonly above: string;
  readonly below: string;
}

/** What became of problems between two looks at the same files. */
export interface ProblemDelta {
  readonly introduced: readonly Sighting[];
  readonly fixed: readonly Sighting[];
  readonly unchanged: number;
}

/**
 * Compares two looks at the same files. A problem is the same where the file, what is said of it and its line are, or,
 * if its line was edited, the lines around it; line numbers decide only between equals.
 */
export function problemDelta(before: readonly Sighting[], after: readonly Sighting[]): ProblemDelta {
  let [gone, come] = [before, after];
  for (const likeness of likenesses) [gone, come] = unmatched(gone, come, likeness);
  return { introduced: come, fixed: gone, unchanged: before.length - gone.length };
}

type Likeness = (sighting: Sighting) => readonly string[];

/** From the closest on: of two that are alike in all else, the one is meant that complains of the same words. */
const likenesses: readonly Likeness[] = [
  (one) => [one.line, wordsOf(one)],
  ({ line }) => [line],
  (one) => [one.above, one.below, wordsOf(one)],
  ({ above, below }) => [above, below],
  (one) => ['above', one.above, wordsOf(one)],
  (one) => ['below', one.below, wordsOf(one)],
];

/** What is complained of, as far as it stands on one line. */
function wordsOf({ line, problem: { range } }: Sighting): string {
  const { start, end } = range;
  return line.slice(start.character, end.line === start.line ? end.character : undefined);
}

/** What has no counterpart on the other side, in the order given. */
function unmatched(
  before: readonly Sighting[],
  after: readonly Sighting[],
  likeness: Likeness,
): [readonly Sighting[], readonly Sighting[]] {
  const key = (one: Sighting) => [...identity(one), ...likeness(one)].join('\0');
  const [olds, news] = [groupBy(before, key), groupBy(after, key)];
  const pairs = [...olds].flatMap(([like, old]) => pairNearest(old, news.get(like) ?? [], lineOf));
  const known = new Set(pairs.map(([old]) => old));
  const met = new Set(pairs.map(([, fresh]) => fresh));
  return [before.filter((one) => !known.has(one)), after.filter((one) => !met.has(one))];
}

function identity({
  path,
  problem: { severity, message, code, source },
}: Sighting): readonly (string | undefined)[] {
  return [path, severity, message, code, source];
}

function lineOf({ problem }: Sighting): number {
  return problem.range.start.line;
}
