import type { Call } from '../../core/call.ts';
import { toLineColumn } from '../../core/position.ts';
import type { FileProblems, Problem } from '../../core/problems.ts';
import { filterInSlices, inOrder, mapInSlices, Pace, sortInSlices } from '../../core/runtime/slices.ts';
import { visible, visibleLine } from '../../core/wording/visible.ts';
import type { ToolContext } from '../run/tool.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import { compareHostProblems, type HostProblem } from './diagnostic-line.ts';
import type { KnownProblems } from './host-api.ts';

/** Converts the problems of a file for a program around lspan: in the order of the text, without duplicates. */
export async function hostProblems(
  file: string,
  { problems }: Pick<FileProblems, 'problems'>,
): Promise<readonly HostProblem[]> {
  return inOrder(await mapInSlices(problems, (problem) => toHostProblem(file, problem)), compareHostProblems);
}

/** Makes hidden characters visible for a model or a person; the name of the file stays as it is, to ask by. */
function toHostProblem(file: string, { range, severity, message, code }: Problem): HostProblem {
  const origin = code ? { code: visibleLine(code) } : {};
  return { file, ...toPlace(range.start), severity, message: visible(message), ...origin };
}

function toPlace(position: Problem['range']['start']): Pick<HostProblem, 'line' | 'column'> {
  const { line, character } = toLineColumn(position);
  return { line, column: character };
}

/** Returns the problems of all files of the workspace that servers know of. */
export async function knownProblems(context: ToolContext, call: Call): Promise<KnownProblems> {
  const watchDoubts = await context.workspace.refresh(call);
  const { answer, doubts: own } = await context.backend.workspaceDiagnostics(call);
  const doubts = [...watchDoubts, ...own, ...problemDoubts(context, answer.files)];
  const files = await byName(context, answer.files);
  return { files, complete: answer.whole && doubts.length === 0, doubts };
}

async function byName(
  { workspace }: ToolContext,
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
