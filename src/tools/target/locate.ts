import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { fromLineColumn } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { occurrences, touches, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { propertyMeant } from '../mentions/markup/component-props.ts';
import type { ToolContext } from '../run/tool.ts';
import { ambiguous } from './candidate.ts';
import { locateById } from './locate-by-id.ts';
import { locateByName, outlineIfAny } from './locate-by-name.ts';
import { namelessSymbol } from './nameless-symbol.ts';
import { placesOn } from './near-name.ts';
import { type PlacedWord, placed } from './near-word.ts';
import { incomplete, noSuchColumn, noSuchLine, withoutName } from './position-errors.ts';
import { type PositionReading, readPosition } from './read-position.ts';
import { distinctSymbols } from './same-symbol.ts';
import { writeSymbolId } from './symbol-id.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Located, Strictness, Target } from './target-fields.ts';

/** Finds the place that an agent means, or throws an error that lists what it may have meant. */
export async function locate(
  context: ToolContext,
  target: Target,
  call: Call,
  strictness: Strictness = {},
): Promise<Located> {
  const located = await locateGiven(context, target, call, strictness);
  const meant = located.nameless ? undefined : await propertyMeant(context, located.place);
  return meant ? { ...located, place: meant } : located;
}

async function locateGiven(
  context: ToolContext,
  target: Target,
  call: Call,
  strictness: Strictness,
): Promise<Located> {
  const { file_path, symbol_name, line, id } = target;
  if (id !== undefined) {
    const extra = Object.entries(target).find(([key, value]) => fields.includes(key) && value !== undefined);
    if (extra) throw incomplete(`Pass \`id\` alone: omit \`${extra[0]}\`.`);
    return locateById(context, id, call, strictness);
  }
  if (file_path === undefined && line !== undefined) throw incomplete('A line needs its `file_path`.');
  if (line === undefined && target.character !== undefined) throw incomplete('A character needs its `line`.');
  if (symbol_name === undefined && line === undefined) throw incomplete('No symbol is given.');
  if (symbol_name?.trim() === '') throw incomplete('`symbol_name` is empty.');
  if (file_path === undefined || line === undefined) return locateByName(context, target, call, strictness);
  const path = await context.workspace.resolve(file_path);
  const document = await context.workspace.read(path);
  if (strictness.exact) {
    const { position, name } = exactPosition(document, context.workspace.show(path), target, line);
    return { place: { path, position }, name, doubts: [] };
  }
  if (symbol_name === undefined && target.character === undefined)
    return locateOnLine(context, document, line, call);
  const nameless = await locateNameless(context, document, target, call);
  if (nameless?.nameless && !strictness.takesNameless) throw withoutName(nameless.nameless);
  return nameless ?? chooseCandidate(context, path, readPosition(document, target, line), call);
}

/** Finds the only symbol that a line declares, and says so: search tools of agents print lines alone. */
async function locateOnLine(
  context: ToolContext,
  document: Document,
  line: number,
  call: Call,
): Promise<Located> {
  if (line < 1 || line > document.lineCount) throw noSuchLine(document, line);
  const { answer, doubts } = await outlineIfAny(context, document.path, call);
  const [only, ...others] = declaredOn(answer, line - 1);
  if (!only || others.length > 0)
    throw incomplete(
      `Line ${line} alone is not enough: it declares ${only ? 'several symbols' : 'no symbol'}.`,
    );
  const { name, selection } = only;
  const adjusted = `${JSON.stringify(name)}, which line ${line} declares`;
  return { place: { path: document.path, position: selection.start }, name, adjusted, doubts };
}

/** Returns the symbols whose names are on a line, without those inside of one of them. */
function declaredOn(level: readonly OutlineSymbol[], line: number): readonly OutlineSymbol[] {
  return level.flatMap((symbol) =>
    symbol.selection.start.line === line ? [symbol] : declaredOn(symbol.children, line),
  );
}

/** Finds a symbol that has no name, at the position that outlines print for it. */
async function locateNameless(
  context: ToolContext,
  document: Document,
  { line = 0, character = 0, symbol_name }: Target,
  call: Call,
): Promise<Located | undefined> {
  const isPosition = line > 0 && character > 0 && line <= document.lineCount && symbol_name === undefined;
  if (!isPosition) return undefined;
  const position = fromLineColumn({ line, character });
  const symbol = await namelessSymbol(context, document, position, call);
  if (!symbol) return undefined;
  return { place: { path: document.path, position }, name: undefined, nameless: symbol, doubts: [] };
}

/** If a name occurs at several places that are about as likely, they must mean the same symbol. */
async function chooseCandidate(
  context: ToolContext,
  path: string,
  { position, name, adjusted, rivals = [] }: PositionReading,
  call: Call,
): Promise<Located> {
  const located = { place: { path, position }, name, ...(adjusted ? { adjusted } : {}), doubts: [] };
  if (rivals.length === 0 || name === undefined) return located;
  const places = [position, ...rivals].map((each) => ({ place: { path, position: each }, name }));
  const different = await distinctSymbols(context, places, call);
  if (different.length > 1) throw await ambiguous(context, name, different, call);
  return located;
}

const fields: readonly string[] = ['file_path', 'symbol_name', 'symbol_kind', 'line', 'character'];

/** Reads a position for a tool that changes what is there: it is exact, or the error lists what is there. */
function exactPosition(document: Document, file: string, target: Target, line: number): PositionReading {
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
      ? `${where} has no identifier.`
      : character === undefined
        ? `${where} has ${JSON.stringify(name)} ${placesOn(document, name, line - 1).length} times, not once.`
        : `${where} has ${holds}, not ${JSON.stringify(name)}.`;
  return new LspanError(
    name === undefined || character === undefined ? 'not_found' : 'invalid_input',
    message,
    {
      candidates,
      nextStep: 'This tool does not guess. Give the exact position, or the `id`.',
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
