import { comparePositions } from './positions.ts';
import { type FileProblems, type Freshness, type Problem, severities } from './problems.ts';
import { eachInSlices, sortInSlices } from './slices.ts';

/** Joins what several servers say about one file: nothing twice, in the order of the text, as fresh as the worst of them. */
export async function mergeFileProblems(
  path: string,
  spoken: readonly FileProblems[],
): Promise<FileProblems> {
  const unique = new Map<string, Problem>();
  const all = spoken.flatMap(({ problems }) => problems);
  await eachInSlices(all, (problem) => {
    const key = JSON.stringify([problem.range, problem.severity, problem.message, problem.code]);
    if (!unique.has(key)) unique.set(key, problem);
  });
  const problems = await sortInSlices([...unique.values()], compareProblems);
  const state = freshnessFromWorst.find((worst) => spoken.some((one) => one.state === worst));
  const unheard = [...new Set(spoken.flatMap((one) => one.unheard))].sort();
  return { path, problems, state: state ?? 'unavailable', unheard };
}

const freshnessFromWorst: readonly Freshness[] = ['unavailable', 'pending', 'stale', 'fresh'];

function compareProblems(a: Problem, b: Problem): number {
  return (
    comparePositions(a.range.start, b.range.start) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (a.message < b.message ? -1 : 1)
  );
}
