import { lineHunks } from './line-diff.ts';
import { cutLines, type LineIndex, type LineOfText } from './line-index.ts';

/** Replaces the text between two offsets. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns what a replacement really changes. Lines with the same content keep their bytes, so that a server may send
 * the whole document with other line endings; new lines end like those that they replace.
 */
export function minimalChanges(lines: LineIndex, replacement: Replacement): Replacement[] {
  const { start, end, text } = replacement;
  const replaced = lines.text.slice(start, end);
  if (replaced === text) return [];
  if (!hasEnding.test(replaced) && !hasEnding.test(text)) return [replacement];
  const [old, now] = [cutLines(replaced), cutLines(text)];
  const offsets = offsetsOf(old, start);
  return lineHunks(old.map(contentOf), now.map(contentOf)).map((hunk) => {
    const [from, to] = [hunk.oldStart, hunk.oldStart + hunk.oldCount];
    const place = { start: offsets[from] ?? end, end: offsets[to] ?? end };
    const added = now.slice(hunk.newStart, hunk.newStart + hunk.newCount);
    const written = withEndings(added, old.slice(from, to), lines.endingNear(lines.lineAt(place.start)));
    return { ...place, text: separateEndings(lines.text, place, written) };
  });
}

const hasEnding = /[\r\n]/;

/** Lines are compared without the kind of their ending, but one with an ending differs from one without. */
function contentOf({ content, ending }: LineOfText): string {
  return ending ? `${content}\n` : content;
}

function offsetsOf(old: readonly LineOfText[], start: number): number[] {
  let at = start;
  return old.map(({ content, ending }) => {
    const offset = at;
    at += content.length + ending.length;
    return offset;
  });
}

/** A text without any line ending takes new ones as they come. */
function withEndings(added: readonly LineOfText[], old: readonly LineOfText[], near: string): string {
  const last = old.findLast(({ ending }) => ending !== '')?.ending;
  return added
    .map(({ content, ending }, at) => content + (ending && (old[at]?.ending || last || near || ending)))
    .join('');
}

/** In a file of mixed endings, a `\n` after an existing `\r` would not end a line, nor would a `\r` before a `\n`. */
function separateEndings(text: string, { start, end }: Omit<Replacement, 'text'>, written: string): string {
  const separated = text[start - 1] === '\r' && written.startsWith('\n') ? `\r${written}` : written;
  return separated.endsWith('\r') && text[end] === '\n' ? `${separated}\n` : separated;
}
