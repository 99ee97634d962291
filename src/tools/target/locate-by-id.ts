import { type Call, cancelSignalOf } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type Position, toLineColumn } from '../../core/position.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { toCandidates } from './candidate.ts';
import { matchOutline } from './match-symbols.ts';
import { placesOn } from './near-name.ts';
import { readSymbolId, type SymbolId } from './symbol-id.ts';
import type { Located, Strictness } from './target-fields.ts';

/** Finds the symbol of a candidate's id: at its place, or near it if lines have moved. */
export async function locateById(
  context: ToolContext,
  id: string,
  call: Call,
  { exact = false }: Strictness,
): Promise<Located> {
  const meant = readSymbolId(id);
  const path = await context.workspace.resolve(meant.file);
  const document = await context.workspace.read(path);
  const { position, name } = meant;
  const isThere = occurrences(document.line(position.line), name).includes(position.character);
  if (isThere) return { place: { path, position }, name, doubts: [] };
  const moved = exact ? undefined : await findMoved(context, document, meant, call);
  if (!moved) throw gone(id, name);
  const { line, character } = toLineColumn(moved);
  const adjusted = `${JSON.stringify(name)} at ${line}:${character}, its current position`;
  return { place: { path, position: moved }, name, adjusted, doubts: [] };
}

/** Returns the nearest declaration of the name, else its nearest occurrence in the text. */
async function findMoved(
  context: ToolContext,
  document: Document,
  { file, position, name }: SymbolId,
  call: Call,
): Promise<Position | undefined> {
  const outlined = context.outlines.of(context, document.path, call).catch((thrown: unknown) => {
    if (cancelSignalOf(call).aborted) throw thrown;
    return { answer: [] };
  });
  const matches = matchOutline(
    (await outlined).answer,
    { given: name, holders: [], name },
    { path: document.path, shown: file },
  );
  const declared = (await toCandidates(context, matches)).map(({ place }) => place.position);
  return nearest(declared, position) ?? nearest(placesAround(document, name, position.line), position);
}

function nearest(places: readonly Position[], { line, character }: Position): Position | undefined {
  const far = (place: Position) => Math.abs(place.line - line) + (place.character === character ? 0 : 0.5);
  const [first] = places
    .filter((place) => Math.abs(place.line - line) <= limits.candidates.moved)
    .sort((a, b) => far(a) - far(b));
  return first;
}

function placesAround(document: Document, name: string, line: number): Position[] {
  const length = 2 * limits.candidates.moved + 1;
  const lines = Array.from({ length }, (_, index) => line - limits.candidates.moved + index);
  return lines.flatMap((each) => placesOn(document, name, each));
}

function gone(id: string, name: string): LspanError {
  return new LspanError(
    'not_found',
    `${JSON.stringify(name)} is no longer where the id ${quotePath(id)} says.`,
    {
      nextStep: 'Call again with `symbol_name` and `file_path` to find where it is now.',
    },
  );
}
