import { encodeColumn, type Position, type PositionEncoding } from '../../../core/positions.ts';
import type { ProposedStep } from '../../../core/proposal.ts';
import type { Document } from '../../../workspace/texts/document.ts';

type EditStep = Extract<ProposedStep, { kind: 'edit' }>;

/** Has positions that a server counts over the break at the end of a line stand at the beginning of the next one. */
export function overBreaks(step: EditStep, document: Document): EditStep {
  const move = (position: Position) => beyondBreak(document, position, step.encoding);
  const edits = step.edits.map(({ range: { start, end }, newText }) => ({
    range: { start: move(start), end: move(end) },
    newText,
  }));
  return { ...step, edits };
}

function beyondBreak(document: Document, position: Position, encoding: PositionEncoding): Position {
  const { line, character } = position;
  const text = document.line(line);
  const over = character - encodeColumn(text, text.length, encoding);
  const isLast = line >= document.lineCount - 1;
  return over < 1 || over > longestBreak || isLast ? position : { line: line + 1, character: 0 };
}

/** A carriage return and a line feed. */
const longestBreak = 2;
