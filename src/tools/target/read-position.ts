import { LspanError } from '../../core/errors.ts';
import { type Position, toLineColumn } from '../../core/positions.ts';
import { touches, type Word, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { nearName, placesOn, type Said } from './near-name.ts';
import { nearWord, sigils } from './near-word.ts';
import { incomplete, noSuchColumn, noSuchLine } from './position-errors.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Target } from './target-fields.ts';

/** What a position means in a text, and how it was read where it was not exact. */
export interface PositionReading {
  readonly position: Position;
  /** The identifier there, as far as the text tells. */
  readonly name: string | undefined;
  readonly adjusted?: string;
  /** Other places of the name that are about as likely meant. */
  readonly rivals?: readonly Position[];
}

/** Reads a line, with a character, a name or both, as somebody who knows what agents get wrong; on the text alone. */
export function readPosition(document: Document, target: Target, line: number): PositionReading {
  const { character, symbol_name } = target;
  if (line < 0) throw noSuchLine(document, line);
  if (character !== undefined && character < 0) throw noSuchColumn(document, line, character);
  if (symbol_name !== undefined) return readName(document, readSymbolPath(symbol_name).name, line, character);
  if (character === undefined)
    throw incomplete('A line alone is not enough: give `character` or `symbol_name`.');
  return readWord(document, line, character);
}

/** Whoever gives line 0 counts from 0, characters too. */
function saidAt(line: number, character: number): Said & Position {
  const column = Math.max(0, line === 0 ? character : character - 1);
  return { line: Math.max(0, line - 1), column, character: column };
}

function readName(
  document: Document,
  name: string,
  line: number,
  character: number | undefined,
): PositionReading {
  const said = character === undefined ? { line: Math.max(0, line - 1) } : saidAt(line, character);
  const asGiven = line > 0 && character !== 0 ? standsAt(document, name, said) : undefined;
  if (asGiven) return { position: asGiven, name };
  const [position, ...rivals] = nearName(document, name, said);
  if (!position) throw notInFile(name);
  return { position, name, adjusted: shown(name, position), rivals };
}

/** The place that was given, if the name stands just there and nothing else could be meant. */
function standsAt(document: Document, name: string, { line, column }: Said): Position | undefined {
  const places = placesOn(document, name, line);
  if (column === undefined) return places.length === 1 ? places[0] : undefined;
  const isOn = places.some(({ character: start }) => start <= column && column < start + name.length);
  if (isOn) return { line, character: column };
  const isBefore = places.some(({ character: start }) => column < start && start <= column + 2);
  return isBefore ? undefined : places.find(({ character: start }) => column === start + name.length);
}

function readWord(document: Document, line: number, character: number): PositionReading {
  const said = saidAt(line, character);
  if (said.line >= document.lineCount) throw noSuchLine(document, line);
  const near = nearWord(document, said);
  const text = document.line(said.line);
  if (
    near &&
    near.position.line === said.line &&
    sigils.test(text.slice(said.character, near.position.character))
  )
    return near;
  if (near) return { ...near, adjusted: shown(near.name, near.position) };
  if (said.character > text.length) throw noSuchColumn(document, line, character);
  const word = wordsOf(text).find((one) => touches(one, said.character));
  const position = { line: said.line, character: Math.min(said.character, lastOf(word) ?? said.character) };
  const name = word?.text;
  return line > 0 && character > 0 ? { position, name } : { position, name, adjusted: shown(name, position) };
}

/** Not every server takes the end of an identifier for it. */
function lastOf(word: Word | undefined): number | undefined {
  return word && word.start + word.text.length - 1;
}

function shown(name: string | undefined, position: Position): string {
  const { line, character } = toLineColumn(position);
  return `${name === undefined ? 'the place' : JSON.stringify(name)} at ${line}:${character}`;
}

function notInFile(name: string): LspanError {
  return new LspanError('not_found', `${JSON.stringify(name)} does not stand in this file.`, {
    nextStep: 'Leave `file_path` and `line` out to search the workspace, or see get_document_symbols.',
  });
}
