import type { LspanError } from '../../core/errors.ts';
import { comparePositions, type Position, type PositionEncoding } from '../../core/positions.ts';
import type { ProposedEdit } from '../../core/proposal.ts';
import { faultOfText } from './file-text.ts';
import { LineIndex } from './line-index.ts';
import { minimalChanges, type Replacement } from './minimal-changes.ts';
import { StrictPositions } from './strict-positions.ts';

/** A text after edits, and the number of places that changed. */
export interface EditedText {
  readonly text: string;
  readonly edits: number;
}

/** Makes the error for a faulty edit, from its 0-based line and the rest of a sentence about the edit. */
export type EditFault = (line: number, wrong: string) => LspanError;

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

const lateInsert =
  'inserts where an edit that is listed before it replaces text, so that their order is unclear';

function faultOf(start: Position, end: Position): string | undefined {
  const numbers = [start.line, start.character, end.line, end.character];
  const counts = numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!counts) return 'has a position that is not made of whole numbers from 0 on';
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
