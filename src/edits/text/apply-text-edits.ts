import type { LspanError } from '../../core/errors.ts';
import { comparePositions, type Position, type PositionEncoding } from '../../core/position.ts';
import type { ProposedEdit } from '../../core/proposal.ts';
import { faultOfText } from './file-text.ts';
import { lineHunks } from './line-diff.ts';
import { cutLines, LineIndex, type LineOfText } from './line-index.ts';

/** A text after edits, and the number of places that changed. */
interface EditedText {
  readonly text: string;
  readonly edits: number;
}

/** Makes the error for a faulty edit, from its 0-based line and the rest of a sentence about the edit. */
type EditFault = (line: number, wrong: string) => LspanError;

/**
 * Applies edits whose positions all refer to the given text. Edits may touch but not overlap. Several inserts at one
 * position keep the order of the list, and precede a replacement that starts there; an insert that is listed after such
 * a replacement is refused, since implementations differ in how they read it.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textEditArray
 */
export function applyTextEdits(
  text: string,
  edits: readonly ProposedEdit[],
  encoding: PositionEncoding,
  fault: EditFault,
): EditedText {
  const lines = new LineIndex(text);
  const positions = new StrictPositions(lines, encoding);
  const ordered = inOrder(edits, fault);
  const changes = ordered
    .map((edit) => locate(edit, positions, text, fault))
    .flatMap((replacement) => minimalChanges(lines, replacement));
  return { text: splice(text, changes), edits: changes.length };
}

/** Sorts edits by position, and checks them before columns are resolved, which is linear only in this order. */
function inOrder(edits: readonly ProposedEdit[], fault: EditFault): readonly ProposedEdit[] {
  for (const { range, newText } of edits) {
    const textFault = faultOfText(newText);
    const wrong = faultOf(range.start, range.end) ?? (textFault && `inserts ${textFault}`);
    if (wrong) throw fault(range.start.line, wrong);
  }
  // Sorting keeps the order of edits that start at one position.
  const ordered = [...edits].sort((a, b) => comparePositions(a.range.start, b.range.start));
  for (const [at, { range }] of ordered.entries()) {
    const before = ordered[at - 1]?.range;
    if (!before || comparePositions(before.end, range.start) <= 0) continue;
    const isInsert = comparePositions(range.start, range.end) === 0;
    const sameStart = comparePositions(before.start, range.start) === 0;
    throw fault(range.start.line, isInsert && sameStart ? lateInsert : 'overlaps another edit');
  }
  return ordered;
}

const lateInsert = 'inserts where an earlier edit replaces text, so their order is unclear';

function faultOf(start: Position, end: Position): string | undefined {
  const numbers = [start.line, start.character, end.line, end.character];
  const counts = numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!counts) return 'has a position that is not made of integers from 0 on';
  return comparePositions(start, end) > 0 ? 'ends before it starts' : undefined;
}

function locate(
  { range, newText }: ProposedEdit,
  positions: StrictPositions,
  text: string,
  fault: EditFault,
): Replacement {
  const start = positions.offset(range.start);
  if (typeof start === 'string') throw fault(range.start.line, `has a start that ${start}`);
  // Formatters send the whole document as one edit that ends beyond the text, which has only one possible meaning.
  const isWhole = start === 0 && positions.isEndOrBeyond(range.end);
  const end = isWhole ? text.length : positions.offset(range.end);
  if (typeof end === 'string') throw fault(range.end.line, `has an end that ${end}`);
  return { start, end, text: newText };
}

function splice(text: string, changes: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const change of changes) {
    parts.push(text.slice(at, change.start), change.text);
    at = change.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** Replaces the text between two offsets. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns what a replacement really changes. Lines with the same content keep their bytes, so that a server may send
 * the whole document with other line endings; new lines end like those that they replace.
 */
function minimalChanges(lines: LineIndex, replacement: Replacement): Replacement[] {
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

/** Converts positions to offsets, and corrects none: one that is not between two characters is about another text. */
class StrictPositions {
  readonly #lines: LineIndex;
  readonly #encoding: PositionEncoding;
  /** The position found last, so that lookups in the order of the text walk each line once. */
  #cursor = { line: -1, units: 0, offset: 0 };

  constructor(lines: LineIndex, encoding: PositionEncoding) {
    this.#lines = lines;
    this.#encoding = encoding;
  }

  /** Returns the offset, or the fault of the position as the end of a sentence about it. */
  offset({ line, character }: Position): number | string {
    if (!isCount(line) || !isCount(character)) return 'is not made of integers from 0 on';
    if (line >= this.#lines.count) return 'is past the end of the file';
    const [start, end] = [this.#lines.start(line), this.#lines.end(line)];
    const offset = this.#encoding === 'utf-16' ? start + character : this.#walk(line, character, end);
    if (typeof offset === 'string' || offset > end) return this.#beyond(line, offset);
    return splitsPair(this.#lines.text, offset) ? 'is inside a character (a surrogate pair)' : offset;
  }

  /** True if a position is the end of the text or anywhere after it. */
  isEndOrBeyond({ line, character }: Position): boolean {
    const last = this.#lines.count - 1;
    if (line !== last) return line > last;
    const offset = this.offset({ line, character });
    return typeof offset === 'string' ? offset === pastLine : offset === this.#lines.text.length;
  }

  #walk(line: number, wanted: number, end: number): number | string {
    const { text } = this.#lines;
    const width = widths[this.#encoding];
    let { units, offset } = this.#cursor;
    if (this.#cursor.line !== line || units > wanted) [units, offset] = [0, this.#lines.start(line)];
    while (units < wanted && offset < end) {
      const code = text.codePointAt(offset) ?? 0;
      units += width(code);
      offset += code > 0xffff ? 2 : 1;
    }
    if (units < wanted) return end + wanted - units;
    if (units > wanted) return 'is inside a character of several bytes';
    this.#cursor = { line, units, offset };
    return offset;
  }

  #beyond(line: number, offset: number | string): string {
    if (typeof offset === 'string') return offset;
    const between = offset === this.#lines.end(line) + 1 && this.#lines.ending(line) === '\r\n';
    return between ? 'is between the CR and the LF that end the line' : pastLine;
  }
}

const pastLine = 'is past the end of the line';

const widths: Readonly<Record<PositionEncoding, (code: number) => number>> = {
  'utf-8': (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4),
  'utf-16': (code) => (code < 0x10000 ? 1 : 2),
  'utf-32': () => 1,
};

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function splitsPair(text: string, offset: number): boolean {
  const [before, after] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
}
