import type { Call } from '../../core/call.ts';
import type { FileProblems } from '../../core/problems.ts';
import { Pace } from '../../core/runtime/pace.ts';
import { filterInSlices, sortInSlices } from '../../core/runtime/slices.ts';
import type { World } from '../run/tool.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import type { HostProblem } from './diagnostic-line.ts';
import type { KnownProblems } from './host-api.ts';
import { hostProblems } from './host-problems.ts';

/** The problems of all files of the workspace that servers know of. */
export async function knownProblems(world: World, call: Call): Promise<KnownProblems> {
  const watched = await world.workspace.refresh(call);
  const { answer, doubts: told } = await world.backend.workspaceDiagnostics(call);
  const doubts = [...watched, ...told, ...problemDoubts(world, answer.files)];
  const files = await byName(world, answer.files);
  return { files, complete: answer.whole && doubts.length === 0, doubts };
}

async function byName(
  { workspace }: World,
  all: readonly FileProblems[],
): Promise<Readonly<Record<string, readonly HostProblem[]>>> {
  const isKnown = ({ path, state, problems }: FileProblems) =>
    (problems.length > 0 || state === 'fresh') && workspace.rootOf(path) !== undefined;
  const named = (await filterInSlices(all, isKnown)).map((own) => ({ file: workspace.show(own.path), own }));
  const files: (readonly [string, readonly HostProblem[]])[] = [];
  const pace = new Pace();
  for (const { file, own } of await sortInSlices(named, (a, b) => (a.file < b.file ? -1 : 1))) {
    if (pace.isDue()) await pace.rest();
    files.push([file, await hostProblems(file, own)]);
  }
  return Object.fromEntries(files);
}
