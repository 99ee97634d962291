import {
  comparePositions,
  decodeColumn,
  type Position,
  type PositionEncoding,
  type Range,
} from '../../core/positions.ts';
import type { Span } from '../../core/questions.ts';
import type { Document } from '../../workspace/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { number, object, text } from './json.ts';

/** A place as a server names it. */
export interface RawSpan {
  readonly uri: string;
  readonly range: Range;
}

/** Reads a Location or a LocationLink; `undefined` for anything else. */
export function readRawSpan(value: unknown): RawSpan | undefined {
  const { uri, range, targetUri, targetSelectionRange, targetRange } = object(value);
  const where = text(uri) ?? text(targetUri);
  const what = readRange(range) ?? readRange(targetSelectionRange) ?? readRange(targetRange);
  return where === undefined || what === undefined ? undefined : { uri: where, range: what };
}

/** Reads a range in the server's own units, one that ends before it starts as empty; `undefined` where it is none. */
export function readRange(value: unknown): Range | undefined {
  const { start, end } = object(value);
  const [from, to] = [readPosition(start), readPosition(end)];
  if (from === undefined || to === undefined) return undefined;
  return { start: from, end: comparePositions(from, to) > 0 ? from : to };
}

/** Turns spans as a server names them into ours: gated paths, UTF-16 columns, clamped into the text. */
export async function decodeSpans(
  workspace: Workspace,
  encoding: PositionEncoding,
  raw: readonly RawSpan[],
): Promise<Span[]> {
  const files = new Map<string, DecodedFile>();
  const spans: Span[] = [];
  for (const { uri, range } of raw) {
    const file = files.get(uri) ?? knownFile(workspace, uri) ?? (await decodeFile(workspace, uri));
    files.set(uri, file);
    const { path, standing, document } = file;
    spans.push({ path, standing, range: document ? decodeRange(document, encoding, range) : range });
  }
  return spans;
}

/** Turns a range in the server's units into ours. */
export function decodeRange(document: Document, encoding: PositionEncoding, { start, end }: Range): Range {
  const first = document.line(start.line);
  const last = end.line === start.line ? first : document.line(end.line);
  return {
    start: decodePosition(document, first, encoding, start),
    end: decodePosition(document, last, encoding, end),
  };
}

type DecodedFile = Pick<Span, 'path' | 'standing'> & { readonly document: Document | undefined };

/** A file whose text is at hand: most are, and a promise for each would cost more than the rest. */
function knownFile(workspace: Workspace, uri: string): DecodedFile | undefined {
  const { path, standing } = workspace.admit(uri);
  const document = standing === 'outside' ? undefined : workspace.known(path);
  return document && { path, standing, document };
}

/** A file that cannot be read keeps the server's own columns: the answer about it is still worth showing. */
async function decodeFile(workspace: Workspace, uri: string): Promise<DecodedFile> {
  const admitted = workspace.admit(uri);
  if (admitted.standing === 'outside') return { ...admitted, document: undefined };
  const document = await workspace.read(admitted.path).catch(() => undefined);
  return { ...admitted, document };
}

function decodePosition(
  document: Document,
  text: string,
  encoding: PositionEncoding,
  position: Position,
): Position {
  if (position.line >= document.lineCount) return document.clamp(position);
  return {
    line: position.line,
    character: afterPair(text, decodeColumn(text, position.character, encoding)),
  };
}

/** No position lies between the halves of one character: it means the one after it, whatever a server counts in. */
function afterPair(text: string, column: number): number {
  const isInside = column > 0 && (text.codePointAt(column - 1) ?? 0) > 0xffff;
  return isInside ? column + 1 : column;
}

function readPosition(value: unknown): Position | undefined {
  const { line, character } = object(value);
  const [row, column] = [number(line), number(character)];
  if (row === undefined || column === undefined) return undefined;
  return { line: Math.max(0, Math.trunc(row)), character: Math.max(0, Math.trunc(column)) };
}
