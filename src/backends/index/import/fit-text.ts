import { limits } from '../../../core/limits.ts';
import { decodeColumn, type PositionEncoding } from '../../../core/position.ts';
import type { ScipDocument } from '../scip/read-scip.ts';
import type { StoredOccurrence } from '../store/index-store.ts';

/** A text and its lines. */
interface Lines {
  readonly text: string;
  readonly lineCount: number;
  line(index: number): string;
}

/** The places of a symbol, and its name; a symbol that is local to the document has none. */
export interface NamedOccurrences {
  readonly name: string | undefined;
  readonly occurrences: readonly StoredOccurrence[];
}

/** The units in which a document counts columns, if a text is the one that was indexed. */
export interface Fit {
  readonly encoding: PositionEncoding;
}

/**
 * Compares a document of an index with a text: returns in which units it counts, or `undefined` if it was made from
 * another text. Many indexers do not say which units they use; the names at the ranges tell.
 */
export function fitText(
  document: Pick<ScipDocument, 'encoding'>,
  lines: Lines,
  named: readonly NamedOccurrences[],
): Fit | undefined {
  const fits = candidatesFor(document, lines)
    .map((encoding) => ({ encoding, ...countMatches(named, lines, encoding) }))
    .filter(({ isInside }) => isInside)
    .toSorted((a, b) => b.matches - a.matches);
  const [best] = fits;
  if (!best) return undefined;
  const isOther = best.named >= limits.index.fit.names && best.matches < best.named * limits.index.fit.share;
  return isOther ? undefined : { encoding: best.encoding };
}

/** In a text of ASCII all units are the same. */
function candidatesFor(
  { encoding }: Pick<ScipDocument, 'encoding'>,
  { text }: Lines,
): readonly PositionEncoding[] {
  if (encoding) return [encoding];
  return /^[\x00-\x7f]*$/.test(text) ? ['utf-16'] : ['utf-16', 'utf-8', 'utf-32'];
}

/** Counts the names of other documents, and those of them that the text has at their ranges; no range may cut a word. */
function countMatches(all: readonly NamedOccurrences[], lines: Lines, encoding: PositionEncoding) {
  let [matches, named] = [0, 0];
  for (const { name, occurrences } of all) {
    if (name !== undefined) named += occurrences.length;
    for (const one of occurrences) {
      if (!isWithin(one, lines, encoding) || cutsWord(one, lines, encoding))
        return { matches, named, isInside: false };
      if (!name) continue;
      const line = lines.line(one.startLine);
      if (line.startsWith(name, decodeColumn(line, one.startColumn, encoding))) matches++;
    }
  }
  return { matches, named, isInside: true };
}

/** True if a range lies in a text. The end of the last line may be counted as the start of the next. */
function isWithin(one: StoredOccurrence, lines: Lines, encoding: PositionEncoding): boolean {
  return (
    isPlace(lines, one.startLine, one.startColumn, encoding) &&
    isPlace(lines, one.endLine, one.endColumn, encoding)
  );
}

/** True if a range in one line begins or ends within a word: the text was changed since. */
function cutsWord(one: StoredOccurrence, lines: Lines, encoding: PositionEncoding): boolean {
  if (one.endLine !== one.startLine || one.startLine >= lines.lineCount) return false;
  const line = lines.line(one.startLine);
  const start = decodeColumn(line, one.startColumn, encoding);
  const end = decodeColumn(line, one.endColumn, encoding);
  return start < end && (isInWord(line, start) || isInWord(line, end));
}

function isInWord(line: string, at: number): boolean {
  return isWordUnit(line.charCodeAt(at - 1)) && isWordUnit(line.charCodeAt(at));
}

/** True for letters, digits and the underscore of ASCII: enough to see that a text has moved. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f
  );
}

function isPlace(lines: Lines, line: number, column: number, encoding: PositionEncoding): boolean {
  if (line >= lines.lineCount) return line === lines.lineCount && column === 0;
  const text = lines.line(line);
  if (column <= text.length && encoding === 'utf-16') return true;
  return (
    column <= (encoding === 'utf-8' ? Buffer.byteLength(text) : encoding === 'utf-32' ? [...text].length : -1)
  );
}

/** Converts occurrences to our columns, if the text is known. */
export function toStored(
  occurrences: readonly StoredOccurrence[],
  lines: Lines | undefined,
  fit: Fit | undefined,
): readonly StoredOccurrence[] {
  if (!lines || !fit || fit.encoding === 'utf-16') return occurrences;
  const column = (line: number, given: number) => decodeColumn(lines.line(line), given, fit.encoding);
  return occurrences.map((one) => ({
    ...one,
    startColumn: column(one.startLine, one.startColumn),
    endColumn: column(one.endLine, one.endColumn),
  }));
}
