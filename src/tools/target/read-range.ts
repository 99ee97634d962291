import type { Range } from '../../core/position.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { noSuchColumn, noSuchLine, wrongRange } from './position-errors.ts';

/** A range as an agent gives it: lines and characters from 1. */
interface GivenRange {
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly end_line?: number | undefined;
  readonly end_character?: number | undefined;
}

/** Reads a range: whole lines without characters, a point without an end; `undefined` if no range is given. */
export function readRange(document: Document, given: GivenRange): Range | undefined {
  const { line, character, end_line, end_character } = given;
  if (line === undefined) {
    if (character ?? end_line ?? end_character) throw wrongRange('A range begins with `line`.');
    return undefined;
  }
  const lastLine = end_line ?? line;
  const isPoint = character !== undefined && end_line === undefined && end_character === undefined;
  const lastCharacter = end_character ?? (isPoint ? character : lengthOf(document, lastLine) + 1);
  const [start, end] = [
    position(document, line, character ?? 1),
    position(document, lastLine, lastCharacter),
  ];
  const isOrdered = start.line < end.line || (start.line === end.line && start.character <= end.character);
  if (!isOrdered) throw wrongRange('The range ends before it begins.');
  return { start, end };
}

function position(document: Document, line: number, character: number): Range['start'] {
  if (line < 1 || line > document.lineCount) throw noSuchLine(document, line, false);
  if (character < 1 || character > lengthOf(document, line) + 1)
    throw noSuchColumn(document, line, character, false);
  return { line: line - 1, character: character - 1 };
}

function lengthOf(document: Document, line: number): number {
  return document.line(line - 1).length;
}
