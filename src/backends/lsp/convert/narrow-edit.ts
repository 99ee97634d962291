import { encodeColumn, type PositionEncoding } from '../../../core/positions.ts';
import type { ProposedEdit } from '../../../core/proposal.ts';
import { type Word, wordsOf } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';

/**
 * Splits an edit that replaces a whole text, as some servers rename, into edits of the changed words: only
 * these are renamed, and the rest keeps its line endings. Returns the edit itself if more than words changed.
 */
export function narrowEdit(
  edit: ProposedEdit,
  document: Document,
  encoding: PositionEncoding,
): readonly ProposedEdit[] {
  const { start, end } = edit.range;
  const last = document.lineCount - 1;
  const isToEnd = end.line > last || (end.line === last && end.character >= document.line(last).length);
  const isWhole = start.line === 0 && start.character === 0 && isToEnd && last > 0;
  const lines = edit.newText.split(/\r\n?|\n/);
  if (!isWhole || lines.length !== document.lineCount) return [edit];
  const changed = lines.map((line, number) => changedWords(document.line(number), line));
  if (changed.includes(undefined)) return [edit];
  return changed.flatMap((words = [], line) => {
    const at = (column: number) => ({ line, character: encodeColumn(document.line(line), column, encoding) });
    return words.map(({ from: { start: column, text }, newText }) => {
      return { range: { start: at(column), end: at(column + text.length) }, newText };
    });
  });
}

/** Returns the changed words of a line; `undefined` if more than words differ. */
function changedWords(before: string, after: string): readonly Changed[] | undefined {
  if (before === after) return [];
  const [old, young] = [wordsOf(before), wordsOf(after)];
  const isAlike = old.length === young.length && between(before, old) === between(after, young);
  if (!isAlike) return undefined;
  const pairs = old.map((from, index) => ({ from, newText: young[index]?.text ?? '' }));
  return pairs.filter(({ from, newText }) => from.text !== newText);
}

interface Changed {
  readonly from: Word;
  readonly newText: string;
}

function between(line: string, words: readonly Word[]): string {
  const ends = [0, ...words.map(({ start, text }) => start + text.length)];
  return [...words.map(({ start }, index) => line.slice(ends[index], start)), line.slice(ends.at(-1))].join(
    '\0',
  );
}
