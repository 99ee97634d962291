import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { comparePositions, type Range } from '../../core/positions.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type FileProblems, severities } from '../../core/problems.ts';
import type { Place } from '../../core/questions.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Diagnostic, toDiagnostic } from '../show/diagnostic.ts';
import { withCodeContext } from '../show/problem-context.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import { cachedAt, type SymbolDefinition } from '../target/symbol-definition.ts';

/** The problems of a symbol, the worst first. */
export interface SymbolProblems {
  readonly listed: readonly Diagnostic[];
  readonly total: number;
}

/** Finds the problems that overlap a symbol; `undefined` for libraries, whose problems do not matter. */
export async function symbolProblems(
  context: ToolContext,
  place: Place,
  declared: Promise<SymbolDefinition>,
  call: Call,
): Promise<Reply<SymbolProblems | undefined>> {
  // If the declaration is known to be here, the problems of this file are wanted.
  const early = cachedAt(context, place) ? context.backend.diagnostics([place.path], call) : undefined;
  // If finding the declaration fails, this result is never awaited.
  early?.catch(() => {});
  const { extents } = await declared;
  const own = extents.filter(({ standing }) => standing === 'inside');
  const paths = [...new Set(own.map(({ path }) => path))].sort();
  if (paths.length === 0) return { answer: undefined, doubts: [] };
  const isEarly = paths.length === 1 && paths[0] === place.path;
  const { answer, doubts } = await ((isEarly ? early : undefined) ??
    context.backend.diagnostics(paths, call));
  const files = answer.filter(({ path }) => paths.includes(path));
  const concerned = files.map((file): FileProblems => {
    const ranges = own.filter(({ path }) => path === file.path).map(({ range }) => range);
    const problems = file.problems.filter((problem) => ranges.some((range) => overlap(range, problem.range)));
    return { ...file, problems };
  });
  const sightings = await withCodeContext(
    context,
    concerned,
    paths.every((path) => path === place.path),
  );
  const found = { doubts: [...doubts, ...problemDoubts(context, files)] };
  // An empty list from a server that has not checked the text yet does not mean that there are no problems.
  if (sightings.length === 0 && files.some(({ state }) => state !== 'fresh'))
    return { ...found, answer: undefined };
  const worst = [...sightings].sort((a, b) => rank(a) - rank(b)).slice(0, context.page);
  const listed = worst.map((one) => toDiagnostic(context, one));
  return { ...found, answer: { listed, total: sightings.length } };
}

function rank({ problem }: Sighting): number {
  return severities.indexOf(problem.severity);
}

function overlap(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
