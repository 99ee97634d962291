import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import type { FileProblems } from '../../core/problems.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from './document-at.ts';
import { codeLine, isSecret } from './location.ts';

/** Adds the surrounding text to problems. Lines of a file with secrets are shown only if the agent named the file. */
export async function withCodeContext(
  context: ToolContext,
  files: readonly FileProblems[],
  named: boolean,
): Promise<Sighting[]> {
  const sightings: Sighting[] = [];
  for (const file of files.filter(({ problems }) => problems.length > 0)) {
    const isHidden = (!named || file.related === true) && isSecret(context, file);
    const document = isHidden ? undefined : await documentAt(context, file.path);
    await eachInSlices(file.problems, (problem) => {
      sightings.push({ path: file.path, problem, ...around(document, problem.range.start) });
    });
  }
  return sightings;
}

function around(document: Document | undefined, start: Sighting['problem']['range']['start']) {
  if (!document) return { line: '', above: '', below: '' };
  return {
    line: codeLine(document.line(start.line), { start, end: start }),
    above: nearestText(document, start.line, -1),
    below: nearestText(document, start.line, 1),
  };
}

function nearestText(document: Document, from: number, step: -1 | 1): string {
  for (let distance = 1; distance <= limits.problemContext; distance += 1) {
    const start = { line: from + step * distance, character: 0 };
    const line = codeLine(document.line(start.line), { start, end: start });
    if (line !== '') return line;
  }
  return '';
}
