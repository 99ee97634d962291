import { limits } from '../../../core/limits.ts';
import { comparePositions, type PositionEncoding, type Range } from '../../../core/positions.ts';
import { object, text } from '../../../core/runtime/json.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { decodeRange, readRange } from '../convert/spans.ts';

/** The lines that stand in a document after some edits and did not before; an import that grows counts as a new line. */
export function addedLines(
  edits: readonly unknown[],
  document: Document,
  encoding: PositionEncoding,
): readonly string[] {
  const read = edits.slice(0, limits.completions.edits).flatMap((edit) => {
    const { range, newText } = object(edit);
    const [where, written] = [readRange(range), text(newText)];
    if (where === undefined || written === undefined) return [];
    return [
      { range: decodeRange(document, encoding, where), text: written.slice(0, limits.completions.text) },
    ];
  });
  read.sort((a, b) => comparePositions(a.range.start, b.range.start));
  const groups: Edit[][] = [];
  for (const edit of read) {
    const last = groups.at(-1);
    if (last && (last.at(-1)?.range.end.line ?? -1) >= edit.range.start.line) last.push(edit);
    else groups.push([edit]);
  }
  return groups.flatMap((group) => linesOf(group, document)).slice(0, limits.completions.additions);
}

interface Edit {
  readonly range: Range;
  readonly text: string;
}

/** The new lines of edits that touch the same lines, in order. */
function linesOf(group: readonly Edit[], document: Document): readonly string[] {
  let [line, character] = [group[0]?.range.start.line ?? 0, 0];
  const before = new Set<string>();
  let after = '';
  for (const { range, text: written } of group) {
    const { start, end } = range;
    for (let index = line; index <= end.line && before.size < limits.completions.edits; index += 1)
      before.add(document.line(index).trim());
    if (start.line === line) after += document.line(line).slice(character, start.character);
    after += written;
    [line, character] = [end.line, end.character];
  }
  after += document.line(line).slice(character);
  return after
    .split(/\r\n?|\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && !before.has(one))
    .map((one) => one.slice(0, limits.results.lineLength));
}
