import { type ProblemDelta, problemDelta, type Sighting, surelyFixed } from '../../core/problem-delta.ts';
import { severities } from '../../core/problems.ts';
import { eachInSlices, filterInSlices, groupInSlices, mapInSlices } from '../../core/runtime/slices.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Diagnostic, toDiagnostic } from '../show/diagnostic.ts';
import type { ProblemSnapshot } from '../state/problem-snapshot.ts';
import type { DiagnosticsData } from './diagnostics-data.ts';

/** A problem, the list of the answer that it is in, and its index in the original order. */
interface Listed {
  readonly list: 'diagnostics' | 'introduced' | 'fixed';
  readonly sighting: Sighting;
  readonly place: number;
}

/** All problems of an answer in order, and what the answer says about them as a whole. */
interface ListedProblems {
  readonly head: Pick<DiagnosticsData, 'counts' | 'compared' | 'fixed_count' | 'unchanged' | 'not_compared'>;
  readonly problems: readonly Listed[];
}

/** Lists all problems, the worst first. */
export async function listProblems(sightings: readonly Sighting[]): Promise<ListedProblems> {
  const { counts, problems } = await worstFirst('diagnostics', sightings);
  return { head: { counts }, problems };
}

/** Lists what was introduced and fixed between two answers, for the files that are meant. */
export async function listChanges(
  context: ToolContext,
  before: ProblemSnapshot,
  now: ProblemSnapshot,
  meant: readonly string[],
  /** All current problems. */
  present: readonly Sighting[],
): Promise<ListedProblems> {
  const isGone = (path: string) => context.workspace.readNow(path) === undefined;
  const { introduced, fixed, unchanged, compared, notCompared } = compareProblems(before, now, meant, isGone);
  const uncertain = new Set(notCompared);
  const others = await filterInSlices(present, ({ path }) => uncertain.has(path));
  const ordered = await worstFirst('introduced', introduced);
  const shown = notCompared.slice(0, context.page).map((path) => context.workspace.show(path));
  return {
    head: {
      counts: ordered.counts,
      compared,
      fixed_count: fixed.length,
      unchanged,
      ...(shown.length > 0 ? { not_compared: shown } : {}),
    },
    problems: [
      ...ordered.problems,
      ...(await worstFirst('fixed', fixed)).problems,
      ...(await worstFirst('diagnostics', others)).problems,
    ],
  };
}

/** Converts some of the problems for an answer: each list by file again. */
export function toLists(
  context: ToolContext,
  some: readonly Listed[],
  isComparison: boolean,
): Pick<DiagnosticsData, Listed['list']> {
  const of = (list: Listed['list']): Diagnostic[] =>
    some
      .filter((one) => one.list === list)
      .sort((a, b) => a.place - b.place)
      .map(({ sighting }) => toDiagnostic(context, sighting));
  if (!isComparison) return { diagnostics: of('diagnostics') };
  const others = of('diagnostics');
  const rest = others.length > 0 ? { diagnostics: others } : {};
  return { introduced: of('introduced'), fixed: of('fixed'), ...rest };
}

/** Returns a key that is different for every listed problem. */
export function listedKey({ list, sighting: { path, problem } }: Listed): string {
  return JSON.stringify([list, path, problem]);
}

/** Orders problems by severity, and counts them. */
async function worstFirst(
  list: Listed['list'],
  sightings: readonly Sighting[],
): Promise<{ readonly counts: DiagnosticsData['counts']; readonly problems: readonly Listed[] }> {
  let place = 0;
  const listed = await mapInSlices(sightings, (sighting): Listed => ({ list, sighting, place: place++ }));
  const ranked = await groupInSlices(listed, ({ sighting }) => sighting.problem.severity);
  const counts: DiagnosticsData['counts'] = {};
  const problems: Listed[] = [];
  for (const severity of severities) {
    const own = ranked.get(severity) ?? [];
    if (own.length > 0) counts[severity] = own.length;
    await eachInSlices(own, (one) => void problems.push(one));
  }
  return { counts, problems };
}

/** The changes between two answers, for files about which both are certain. */
interface Comparison extends ProblemDelta {
  readonly compared: number;
  /** Files that are meant, but about which one of the answers is not certain. */
  readonly notCompared: readonly string[];
}

/** Compares an answer with an earlier one, for the files that are meant. */
function compareProblems(
  before: ProblemSnapshot,
  now: ProblemSnapshot,
  meant: readonly string[],
  /** The problems of a file that is gone are gone too. */
  isGone: (path: string) => boolean,
): Comparison {
  const [wasCovered, isCovered] = [coverageOf(before), coverageOf(now)];
  const isComparable = (path: string) => wasCovered(path) && (isCovered(path) || isGone(path));
  const compared = new Set(meant.filter(isComparable));
  const isCompared = ({ path }: { readonly path: string }) => compared.has(path);
  const delta = problemDelta(before.sightings.filter(isCompared), now.sightings.filter(isCompared));
  return {
    ...delta,
    fixed: surelyFixed(delta.fixed, delta.introduced),
    compared: compared.size,
    notCompared: meant.filter((path) => !compared.has(path)),
  };
}

function coverageOf({ covered, whole }: ProblemSnapshot): (path: string) => boolean {
  const known = new Set(covered);
  return (path) => whole || known.has(path);
}
