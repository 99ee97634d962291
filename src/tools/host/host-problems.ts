import { toLineColumn } from '../../core/positions.ts';
import type { FileProblems, Problem } from '../../core/problems.ts';
import { inOrder, mapInSlices } from '../../core/runtime/slices.ts';
import { visible, visibleLine } from '../../core/visible.ts';
import { compareHostProblems, type HostProblem } from './diagnostic-line.ts';

/** The problems of one file as a program around lspan is told of them: in the order of the text, each once. */
export async function hostProblems(
  file: string,
  { problems }: Pick<FileProblems, 'problems'>,
): Promise<readonly HostProblem[]> {
  return inOrder(await mapInSlices(problems, (problem) => toHostProblem(file, problem)), compareHostProblems);
}

/** What is said ends in front of a model, or a person: nothing may hide in it. A name stays as it is, to ask by. */
function toHostProblem(file: string, { range, severity, message, code }: Problem): HostProblem {
  const origin = code ? { code: visibleLine(code) } : {};
  return { file, ...toPlace(range.start), severity, message: visible(message), ...origin };
}

function toPlace(position: Problem['range']['start']): Pick<HostProblem, 'line' | 'column'> {
  const { line, character } = toLineColumn(position);
  return { line, column: character };
}
