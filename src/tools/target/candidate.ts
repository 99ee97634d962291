import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Position, toLineColumn } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import { linkAt } from '../../source-text/imports.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { occurrences, wordAt } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { toLocations } from '../show/location.ts';
import { type Match, minorKinds } from './match-symbols.ts';
import { writeSymbolId } from './symbol-id.ts';
import { partsOfName } from './symbol-path.ts';

/** A symbol that may be meant, at the place where a question about it is asked. */
export interface Candidate {
  readonly place: Place;
  readonly name: string;
  readonly kind?: string;
  /** Other declarations of the same symbol, such as a type and a value of one name. */
  readonly also?: readonly Place[];
}

/** Returns the places of matches without duplicates: declarations, members, then imports; each by path and line. */
export async function toCandidates(context: ToolContext, matches: readonly Match[]): Promise<Candidate[]> {
  const candidates = new Map<string, { readonly candidate: Candidate; readonly order: string }>();
  for (const { span, name, kind } of matches) {
    const document = await context.workspace.read(span.path);
    const position = nameIn(document, span, partsOfName(name).at(-1) ?? name);
    if (!position) continue;
    const place = { path: span.path, position };
    const called = wordAt(document.line(position.line), position.character) ?? name;
    const rank = isInImport(document, position) ? 2 : minorKinds.has(kind) ? 1 : 0;
    candidates.set(keyOf(place), {
      candidate: { place, name: called, kind },
      order: `${rank}${keyOf(place)}`,
    });
  }
  const ordered = [...candidates.values()].sort((a, b) => (a.order < b.order ? -1 : 1));
  // An import does not define a name, if something else does.
  const isDefined = ordered.some(({ order }) => !order.startsWith('2'));
  return ordered
    .filter(({ order }) => !isDefined || !order.startsWith('2'))
    .map(({ candidate }) => candidate);
}

/** True in an import or a re-export, which may have many lines. */
export function isInImport(document: Document, position: Position): boolean {
  const { path, text } = document;
  return (
    importing.test(document.line(position.line)) ||
    linkAt(path, text, document.offsetAt(position)) !== undefined
  );
}

const importing = /^\s*(import|from|use|using|export\s*(\{|\*)|#include)\b|\b(?:require|import)\s*\(/;

function keyOf({ path, position }: Place): string {
  const padded = [position.line, position.character].map((number) => String(number).padStart(9, '0'));
  return `${path}\0${padded.join('\0')}`;
}

/**
 * Finds the name in a declaration, since a server may give the range of the whole declaration, and its comment too. A
 * name of C that is nowhere on its lines was put together by a macro: what stands there is the macro.
 */
export function nameIn(document: Document, { path, range }: Span, name: string): Position | undefined {
  const { start } = range;
  if (occurrences(document.line(start.line), name).includes(start.character)) return start;
  const offsets: number[] = [];
  for (let { line } = start; line <= range.end.line; line += 1)
    for (const character of occurrences(document.line(line), name))
      if (contains(range, { line, character })) offsets.push(document.offsetAt({ line, character }));
  const kinds = lexicalAt(path, document.text, offsets);
  const [first] = offsets;
  const declared = offsets.find((_, index) => kinds[index] !== 'comment') ?? first;
  if (declared !== undefined) return document.positionAt(declared);
  // For `exports.total = () => 1` some servers give only the right-hand side.
  const text = document.line(start.line);
  const far = (column: number) => Math.abs(column - start.character);
  const [nearest] = occurrences(text, name).sort((a, b) => far(a) - far(b));
  if (nearest !== undefined) return { line: start.line, character: nearest };
  return isC(path) && identifier.test(name) ? undefined : start;
}

const identifier = /^[A-Za-z_]\w*$/;

/** Returns the error for a name of several symbols: it lists them, each with an id for the next call. */
export async function ambiguous(
  context: ToolContext,
  wanted: string,
  candidates: readonly Candidate[],
  call: Call,
  /** Why there may be more. */
  doubts: readonly Doubt[] = [],
): Promise<LspanError> {
  const isCut = doubts.some(({ kind }) => kind === 'capped');
  const unlisted = doubts
    .filter(({ kind }) => kind === 'unverified' || kind === 'timed_out')
    .map(({ detail }) => ` ${detail}`);
  const [most, all] = [limits.candidates.described, limits.candidates.listed];
  const described = await describeCandidates(context, candidates.slice(0, most), call);
  const cut = candidates.length > all ? ` The first ${all} are listed.` : '';
  const others =
    candidates.length > most ? ', or the `file_path`, line and character of one of the others' : '';
  return new LspanError(
    'ambiguous',
    `${JSON.stringify(wanted)} is the name of ${isCut ? 'at least ' : ''}${candidates.length} symbols.${cut}${unlisted.join('')}`,
    {
      candidates: [...described, ...listByFile(context, candidates.slice(most, all))],
      nextStep: `Call again with just the \`id\` of the right one${others}.`,
    },
  );
}

/** A candidate as an error lists it. */
interface DescribedCandidate {
  readonly id: string;
  readonly kind?: string;
  readonly in?: string;
  readonly text: string | undefined;
}

/** Describes candidates for an agent: id, kind, enclosing symbol and line of code. */
export async function describeCandidates(
  context: ToolContext,
  candidates: readonly Candidate[],
  call: Call,
): Promise<DescribedCandidate[]> {
  const spans = candidates.map(({ place: { path, position } }): Span => {
    const standing = context.workspace.rootOf(path) === undefined ? 'library' : 'inside';
    return { path, range: { start: position, end: position }, standing };
  });
  const locations = await toLocations(context, spans, call);
  return candidates.map(({ place, name, kind }, index) => {
    const { in: holder, text } = locations[index] ?? {};
    const id = writeSymbolId({ file: context.workspace.show(place.path), position: place.position, name });
    return { id, ...(kind ? { kind } : {}), ...(holder ? { in: holder } : {}), text };
  });
}

/** Lists only the places in each file: more would not be worth its tokens if there are very many. */
function listByFile({ workspace }: ToolContext, candidates: readonly Candidate[]): object[] {
  const files = new Map<string, string[]>();
  for (const { place } of candidates) {
    const { line, character } = toLineColumn(place.position);
    files.set(place.path, [...(files.get(place.path) ?? []), `${line}:${character}`]);
  }
  return [...files].map(([path, places]) => ({ file_path: workspace.show(path), at: places.join(' ') }));
}
