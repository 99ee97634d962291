import { limits } from './limits.ts';
import type { Problem } from './problems.ts';
import { groupBy } from './runtime/group-by.ts';

/** A problem with the text around it, which identifies it after its line has moved. */
export interface Sighting {
  readonly path: string;
  readonly problem: Problem;
  /** The line on which it begins. */
  readonly line: string;
  /** The nearest lines above and below that are not blank. */
  readonly above: string;
  readonly below: string;
}

/** Changes of the problems between two snapshots of the same files. */
export interface ProblemDelta {
  readonly introduced: readonly Sighting[];
  readonly fixed: readonly Sighting[];
  readonly unchanged: number;
}

/**
 * Compares two snapshots of the same files. A problem is the same if its file, report and line are, or the
 * lines around it if its line was edited; line numbers only decide between equals.
 */
export function problemDelta(before: readonly Sighting[], after: readonly Sighting[]): ProblemDelta {
  let [gone, come] = [before, after];
  for (const likeness of likenesses) [gone, come] = unmatched(gone, come, likeness);
  return { introduced: come, fixed: gone, unchanged: before.length - gone.length };
}

/**
 * Returns what a change has fixed, without warnings that may merely not be looked for any more: as `go vet`, some checks of
 * a server run only where its compiler finds no error. `introduced` is what the same change has introduced.
 */
export function surelyFixed(
  fixed: readonly Sighting[],
  introduced: readonly Sighting[],
): readonly Sighting[] {
  const errors = introduced.filter(({ problem }) => problem.severity === 'error');
  const brokenIn = groupBy(errors, placeOf);
  const isHidden = (one: Sighting) =>
    one.problem.severity !== 'error' &&
    brokenIn.get(placeOf(one))?.some(({ problem }) => problem.source !== one.problem.source) === true;
  return fixed.filter((one) => !isHidden(one));
}

/** Returns the server of a problem with its folder, which in most languages is compiled as one. */
function placeOf({ path, problem: { server } }: Sighting): string {
  return `${server}\0${path.replace(/[^/\\]*$/, '')}`;
}

type Likeness = (sighting: Sighting) => readonly string[];

/** From the strictest to the loosest; among problems that are alike, the one about the same words wins. */
const likenesses: readonly Likeness[] = [
  (one) => [one.line, wordsOf(one)],
  ({ line }) => [line],
  (one) => [one.above, one.below, wordsOf(one)],
  ({ above, below }) => [above, below],
  (one) => ['above', one.above, wordsOf(one)],
  (one) => ['below', one.below, wordsOf(one)],
];

/** Returns the text in the problem's range, up to the end of its first line. */
function wordsOf({ line, problem: { range } }: Sighting): string {
  const { start, end } = range;
  return line.slice(start.character, end.line === start.line ? end.character : undefined);
}

/** Returns the sightings without a counterpart on the other side, in the given order. */
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

/**
 * Pairs every item of the smaller of two groups of equals, in the order of their places, with the least total
 * distance unless there are too many. The order of the groups does not change the pairs.
 */
export function pairNearest<T>(
  first: readonly T[],
  second: readonly T[],
  placeOf: (one: T) => number,
): readonly (readonly [T, T])[] {
  const [one, other] = [first[0], second[0]];
  if (one === undefined || other === undefined) return [];
  if (first.length === 1 && second.length === 1) return [[one, other]];
  const inOrder = (group: readonly T[]) => [...group].sort((a, b) => placeOf(a) - placeOf(b));
  const isSwapped = first.length > second.length;
  const [few, many] = isSwapped ? [inOrder(second), inOrder(first)] : [inOrder(first), inOrder(second)];
  const skipped = skips(few.map(placeOf), many.map(placeOf));
  return few.flatMap((own, index) => {
    const partner = many[index + (skipped[index] ?? 0)];
    if (partner === undefined) return [];
    return [isSwapped ? ([partner, own] as const) : ([own, partner] as const)];
  });
}

/** Returns how many items of the larger group are skipped before the partner of each of the smaller. */
function skips(few: readonly number[], many: readonly number[]): readonly number[] {
  const spare = many.length - few.length;
  if (spare === 0 || few.length * spare > limits.problemDelta) return few.map(() => 0);
  // Least remaining distance by the number skipped so far, for each of the few from the last to the first.
  let rest: readonly number[] = new Array<number>(spare + 1).fill(0);
  const choices: (readonly number[])[] = [];
  for (let index = few.length - 1; index >= 0; index -= 1) {
    const place = few[index] ?? 0;
    const best: number[] = new Array<number>(spare + 1).fill(Number.POSITIVE_INFINITY);
    const choice: number[] = new Array<number>(spare + 1).fill(spare);
    for (let skip = spare; skip >= 0; skip -= 1) {
      const here = Math.abs(place - (many[index + skip] ?? 0)) + (rest[skip] ?? 0);
      const later = best[skip + 1] ?? Number.POSITIVE_INFINITY;
      best[skip] = Math.min(here, later);
      choice[skip] = here <= later ? skip : (choice[skip + 1] ?? spare);
    }
    rest = best;
    choices.push(choice);
  }
  let skip = 0;
  return choices.reverse().map((choice) => {
    skip = choice[skip] ?? spare;
    return skip;
  });
}
