import { comparePositions } from './position.ts';
import { type FileProblems, type Freshness, type Problem, severities } from './problems.ts';
import { eachInSlices, sortInSlices } from './runtime/slices.ts';

/** Merges the reports of several servers on one file: no duplicates, in text order, the worst freshness. */
export async function mergeFileProblems(
  path: string,
  spoken: readonly FileProblems[],
): Promise<FileProblems> {
  const known = new Set<string>();
  const unique: Problem[] = [];
  for (const one of spoken) {
    await eachInSlices(one.problems, (problem) => {
      const key = JSON.stringify([problem.range, problem.severity, problem.message, problem.code]);
      if (!known.has(key)) unique.push(problem);
      known.add(key);
    });
  }
  const problems = await sortInSlices(unique, compareProblems);
  const state = freshnessFromWorst.find((worst) => spoken.some((one) => one.state === worst));
  const unheard = [...new Set(spoken.flatMap((one) => one.unheard))].sort();
  const heard = [...new Set(spoken.flatMap((one) => one.heard ?? []))].sort();
  const mute = [...new Set(spoken.flatMap((one) => one.mute ?? []))].sort();
  const some = { ...(heard.length > 0 ? { heard } : {}), ...(mute.length > 0 ? { mute } : {}) };
  return { path, problems, state: state ?? 'unavailable', unheard, ...some };
}

const freshnessFromWorst: readonly Freshness[] = ['unavailable', 'pending', 'stale', 'fresh'];

function compareProblems(a: Problem, b: Problem): number {
  return (
    comparePositions(a.range.start, b.range.start) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    (a.message < b.message ? -1 : 1)
  );
}
