import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { fromLineColumn } from '../../core/positions.ts';
import { occurrences, touches, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { placesOn } from './near-name.ts';
import { type PlacedWord, placed } from './near-word.ts';
import { incomplete, noSuchColumn, noSuchLine } from './position-errors.ts';
import type { PositionReading } from './read-position.ts';
import { writeSymbolId } from './symbol-id.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Target } from './target-fields.ts';

/** Reads a position for a tool that changes what is there: it is exact, or the error lists what is there. */
export function exactPosition(
  document: Document,
  file: string,
  target: Target,
  line: number,
): PositionReading {
  const { character, symbol_name } = target;
  if (line < 1 || line > document.lineCount) throw noSuchLine(document, line);
  const text = document.line(line - 1);
  if (character !== undefined && (character < 1 || character > text.length + 1))
    throw noSuchColumn(document, line, character);
  if (symbol_name === undefined && character === undefined)
    throw incomplete('A line alone is not enough: give `character` or `symbol_name`.');
  const name = symbol_name === undefined ? undefined : readSymbolPath(symbol_name).name;
  const there = character === undefined ? undefined : nameAt(text, character - 1, name);
  if (character !== undefined && there !== undefined && (name === undefined || name === there))
    return { position: fromLineColumn({ line, character }), name: there };
  const places = name === undefined ? [] : placesOn(document, name, line - 1);
  const [only, ...others] = places;
  if (character === undefined && only && others.length === 0) return { position: only, name };
  throw notThere(document, file, { line, character, name, there });
}

/** Returns the expected name if it is at a column, else the identifier there. */
function nameAt(line: string, column: number, expected: string | undefined): string | undefined {
  const covers = (start: number, text: string) => touches({ start, text }, column);
  if (expected !== undefined && occurrences(line, expected).some((start) => covers(start, expected)))
    return expected;
  return wordsOf(line).find(({ start, text }) => covers(start, text))?.text;
}

interface GivenTarget {
  readonly line: number;
  readonly character: number | undefined;
  readonly name: string | undefined;
  readonly there: string | undefined;
}

function notThere(
  document: Document,
  file: string,
  { line, character, name, there }: GivenTarget,
): LspanError {
  const places = name === undefined ? wordsOn(document, line - 1) : nearestPlaces(document, name, line - 1);
  const candidates = places.slice(0, limits.candidates.atPosition).map((place) => ({
    id: writeSymbolId({ file, ...place }),
    text: document.line(place.position.line).trim(),
  }));
  const where = character === undefined ? `Line ${line}` : `Line ${line}, character ${character}`;
  const holds = there === undefined ? 'no identifier' : JSON.stringify(there);
  const message =
    name === undefined
      ? `${where} holds no identifier.`
      : character === undefined
        ? `${where} holds ${JSON.stringify(name)} ${placesOn(document, name, line - 1).length} times, not once.`
        : `${where} holds ${holds}, not ${JSON.stringify(name)}.`;
  return new LspanError(
    name === undefined || character === undefined ? 'not_found' : 'invalid_input',
    message,
    {
      candidates,
      nextStep: 'Nothing is guessed here. Give the exact position, or the `id` of what is meant.',
    },
  );
}

function wordsOn(document: Document, line: number): PlacedWord[] {
  return wordsOf(document.line(line)).map((word) => placed(line, word));
}

function nearestPlaces(document: Document, name: string, line: number): PlacedWord[] {
  const lines = Array.from({ length: document.lineCount }, (_, index) => index);
  return lines
    .flatMap((index) => placesOn(document, name, index))
    .sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))
    .map((position) => ({ name, position }));
}
