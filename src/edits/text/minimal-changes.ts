import { lineHunks } from './line-diff.ts';
import { cutLines, type LineIndex, type LineOfText } from './line-index.ts';

/** What stands from one offset up to another is replaced. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * What a replacement really changes. Lines whose content stays keep their bytes, so that a server may send the whole
 * document back with its own idea of line endings; lines that are new end as those do whose place they take.
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
    return { ...place, text: keptApart(lines.text, place, written) };
  });
}

const hasEnding = /[\r\n]/;

/** How lines are compared: a line that ends is another than one that does not, but it may end in any way. */
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

/** A text that has no line ending at all so far takes them as they come. */
function withEndings(added: readonly LineOfText[], old: readonly LineOfText[], near: string): string {
  const last = old.findLast(({ ending }) => ending !== '')?.ending;
  return added
    .map(({ content, ending }, at) => content + (ending && (old[at]?.ending || last || near || ending)))
    .join('');
}

/** In a file of mixed endings, a `\n` after somebody's `\r` would be no new line, nor would a `\r` before a `\n`. */
function keptApart(text: string, { start, end }: Omit<Replacement, 'text'>, written: string): string {
  const apart = text[start - 1] === '\r' && written.startsWith('\n') ? `\r${written}` : written;
  return apart.endsWith('\r') && text[end] === '\n' ? `${apart}\n` : apart;
}
