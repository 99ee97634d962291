import type { Sighting } from '../core/problem-delta.ts';
import type { Severity } from '../core/problems.ts';
import { compareProblems } from './compare-problems.ts';
import { countBySeverity, keepWorst, toDiagnostic } from './diagnostic.ts';
import type { DiagnosticsData, overview } from './diagnostics-data.ts';
import type { ProblemSnapshot } from './problem-snapshots.ts';
import type { World } from './tool.ts';

/** The lists of an answer, cut to a page, and how many things there are in all. */
export interface Listed {
  readonly data: Omit<DiagnosticsData, keyof ReturnType<typeof overview> | 'since'>;
  readonly total: number;
}

/** All problems, the worst kept where there are more than a page. */
export function listProblems(world: World, sightings: readonly Sighting[]): Listed {
  const page = keepWorst(sightings, world.page, severityOf);
  return {
    data: { counts: countsOf(sightings), diagnostics: page.map((one) => toDiagnostic(world, one)) },
    total: sightings.length,
  };
}

/** What was introduced and fixed between two answers, over the files that are meant. */
export function listChanges(
  world: World,
  before: ProblemSnapshot,
  now: ProblemSnapshot,
  meant: readonly string[],
  /** All problems that are there now. */
  present: readonly Sighting[],
): Listed {
  const isGone = (path: string) => world.workspace.glance(path) === undefined;
  const { introduced, fixed, unchanged, compared, notCompared } = compareProblems(before, now, meant, isGone);
  const come = keepWorst(introduced, world.page, severityOf);
  const gone = keepWorst(fixed, world.page - come.length, severityOf);
  const isApart = new Set(notCompared);
  const others = present.filter(({ path }) => isApart.has(path));
  const shown = keepWorst(others, world.page - come.length - gone.length, severityOf);
  const apart = notCompared.slice(0, world.page).map((path) => world.workspace.show(path));
  return {
    data: {
      counts: countsOf(introduced),
      compared,
      introduced: come.map((one) => toDiagnostic(world, one)),
      fixed: gone.map((one) => toDiagnostic(world, one)),
      fixed_count: fixed.length,
      unchanged,
      ...(apart.length > 0 ? { not_compared: apart } : {}),
      ...(shown.length > 0 ? { diagnostics: shown.map((one) => toDiagnostic(world, one)) } : {}),
    },
    total: introduced.length + fixed.length + others.length,
  };
}

function countsOf(sightings: readonly Sighting[]): DiagnosticsData['counts'] {
  return countBySeverity(sightings.map(({ problem }) => problem));
}

function severityOf({ problem }: Sighting): Severity {
  return problem.severity;
}
