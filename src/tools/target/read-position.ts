import { type Position, toLineColumn } from '../../core/position.ts';
import { type Word, wordAround } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { type GivenPosition, nearName, placesOn } from './near-name.ts';
import { nearWord, sigils } from './near-word.ts';
import { noSuchColumn, noSuchLine, notInFile } from './position-errors.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Target } from './target-fields.ts';

/** The position that was meant, and how it was read if it was not exact. */
export interface PositionReading {
  readonly position: Position;
  /** The identifier there, according to the text. */
  readonly name: string | undefined;
  readonly adjusted?: string;
  /** Other places of the name that are about as likely. */
  readonly rivals?: readonly Position[];
}

/** Reads a line with a character, a name or both from the text alone, and corrects the usual mistakes of agents. */
export function readPosition(document: Document, target: Target, line: number): PositionReading {
  const { character, symbol_name } = target;
  if (line < 0) throw noSuchLine(document, line);
  if (character !== undefined && character < 0) throw noSuchColumn(document, line, character);
  if (symbol_name !== undefined) return readName(document, readSymbolPath(symbol_name).name, line, character);
  return readWord(document, line, character ?? 1);
}

/** An agent that gives line 0 also counts characters from 0. */
function toGivenPosition(line: number, character: number): GivenPosition & Position {
  const column = Math.max(0, line === 0 ? character : character - 1);
  return { line: Math.max(0, line - 1), column, character: column };
}

function readName(
  document: Document,
  name: string,
  line: number,
  character: number | undefined,
): PositionReading {
  const given = character === undefined ? { line: Math.max(0, line - 1) } : toGivenPosition(line, character);
  const exact = line > 0 && character !== 0 ? exactMatch(document, name, given) : undefined;
  if (exact) return { position: exact, name };
  const [position, ...rivals] = nearName(document, name, given);
  if (!position)
    throw notInFile(
      document,
      name,
      'Omit `file_path` and `line` to search the workspace, or see get_document_symbols.',
    );
  return { position, name, adjusted: renderReading(name, position), rivals };
}

/** Returns the given place if the name is exactly there and nothing else can be meant. */
function exactMatch(document: Document, name: string, { line, column }: GivenPosition): Position | undefined {
  const places = placesOn(document, name, line);
  if (column === undefined) return places.length === 1 ? places[0] : undefined;
  const isOn = places.some(({ character: start }) => start <= column && column < start + name.length);
  if (isOn) return { line, character: column };
  const isBefore = places.some(({ character: start }) => column < start && start <= column + 2);
  return isBefore ? undefined : places.find(({ character: start }) => column === start + name.length);
}

function readWord(document: Document, line: number, character: number): PositionReading {
  const given = toGivenPosition(line, character);
  const column = given.character;
  if (given.line >= document.lineCount) throw noSuchLine(document, line);
  const near = nearWord(document, given);
  const text = document.line(given.line);
  if (near?.position.line === given.line && sigils.test(text.slice(column, near.position.character)))
    return near;
  if (near) return { ...near, adjusted: renderReading(near.name, near.position) };
  if (column > text.length) throw noSuchColumn(document, line, character);
  const word = wordAround(text, column);
  const position = { line: given.line, character: Math.min(column, lastColumn(word) ?? column) };
  const name = word?.text;
  const isExact = line > 0 && character > 0;
  return isExact ? { position, name } : { position, name, adjusted: renderReading(name, position) };
}

/** Some servers do not accept the end of an identifier as part of it. */
function lastColumn(word: Word | undefined): number | undefined {
  return word && word.start + word.text.length - 1;
}

function renderReading(name: string | undefined, position: Position): string {
  const { line, character } = toLineColumn(position);
  return `${name === undefined ? 'the place' : JSON.stringify(name)} at ${line}:${character}`;
}
