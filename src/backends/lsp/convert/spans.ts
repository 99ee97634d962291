import { LspanError } from '../../../core/errors.ts';
import {
  comparePositions,
  decodeColumn,
  encodeColumn,
  type Position,
  type PositionEncoding,
  type Range,
} from '../../../core/position.ts';
import type { Span } from '../../../core/question.ts';
import { number, object, text } from '../../../core/runtime/json.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { isNotebook } from '../../../source-text/notebooks.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Translation } from './translation.ts';

/** A range in a server's encoding. */
export interface RawRange extends Range {
  /** True if both positions are non-negative integers, in order. */
  readonly sound: boolean;
}

/** A place as a server sent it. */
export interface RawSpan {
  readonly uri: string;
  readonly range: RawRange;
}

/** Reads a Location or a LocationLink; `undefined` for anything else. */
export function readRawSpan(value: unknown): RawSpan | undefined {
  const { uri, range, targetUri, targetSelectionRange, targetRange } = object(value);
  const where = text(uri) ?? text(targetUri);
  const what = readRawRange(range) ?? readRawRange(targetSelectionRange) ?? readRawRange(targetRange);
  return where === undefined || what === undefined ? undefined : { uri: where, range: what };
}

/** Reads a range in the server's encoding, empty if it ends before it starts; `undefined` if malformed. */
export function readRawRange(value: unknown): RawRange | undefined {
  const { start, end } = object(value);
  const from = readPosition(start);
  const to = readPosition(end);
  if (from === undefined || to === undefined) return undefined;
  const ordered = comparePositions(from, to) <= 0;
  return { start: from, end: ordered ? to : from, sound: ordered && isWhole(start) && isWhole(end) };
}

/**
 * Converts a server's spans to ours: gated paths and UTF-16 columns, clamped to the text and marked if so.
 * Spans in files that are gone, in another worktree or in notebooks, whose cells have lines of their own, become `undefined`.
 */
export async function decodeSpans(
  {
    workspace,
    encoding,
    countsMark,
    leftOut,
  }: Pick<Translation, 'workspace' | 'encoding' | 'countsMark' | 'leftOut'>,
  raw: readonly RawSpan[],
): Promise<(Span | undefined)[]> {
  const files = new Map<string, DecodedFile>();
  const spans: (Span | undefined)[] = [];
  const pace = new Pace();
  for (const { uri, range } of raw) {
    if (pace.isDue()) await pace.rest();
    let file = files.get(uri);
    if (!file) {
      file = knownFile(workspace, uri) ?? (await decodeFile(workspace, uri));
      files.set(uri, file);
    }
    if (file.worktree !== undefined) leftOut?.add(file.worktree);
    // Some servers keep reporting places in files that are gone.
    if (file.isGone || file.worktree !== undefined || file.isNotebook) spans.push(undefined);
    else if (file.document?.hasBom && countsMark?.(file.path))
      spans.push(decodeSpan(file, encoding, { ...withoutMark(range), sound: range.sound }));
    else spans.push(decodeSpan(file, encoding, range));
  }
  return spans;
}

/** Converts a UTF-16 range that counts the byte order mark as a column of the first line. */
export function withoutMark({ start, end }: Range): Range {
  const move = ({ line, character }: Position) => ({
    line,
    character: line === 0 ? Math.max(0, character - 1) : character,
  });
  return { start: move(start), end: move(end) };
}

/** Converts a range from the server's encoding. */
export function decodeRange(document: Document, encoding: PositionEncoding, { start, end }: Range): Range {
  const first = document.line(start.line);
  const last = end.line === start.line ? first : document.line(end.line);
  return {
    start: decodePosition(document, first, encoding, start),
    end: decodePosition(document, last, encoding, end),
  };
}

/** Converts a range, clamped to the text, to the server's encoding. */
export function encodeRange(document: Document, encoding: PositionEncoding, { start, end }: Range): Range {
  const encode = (position: Position) => {
    const { line, character } = document.clamp(position);
    return { line, character: encodeColumn(document.line(line), character, encoding) };
  };
  return { start: encode(start), end: encode(end) };
}

function decodeSpan(
  { path, standing, document }: DecodedFile,
  encoding: PositionEncoding,
  raw: RawRange,
): Span {
  const { start, end } = raw;
  const range = document ? decodeRange(document, encoding, raw) : { start, end };
  const isThere = raw.sound && (document === undefined || isInText(document, encoding, raw, range));
  return isThere ? { path, standing, range } : { path, standing, range, clamped: true };
}

/**
 * Returns whether a server's range is in the text: encodes the decoded range again and compares. An end past
 * the text is common, and past a line is allowed:
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#position
 */
function isInText(document: Document, encoding: PositionEncoding, raw: Range, understood: Range): boolean {
  const { start, end } = understood;
  if (start.line !== raw.start.line) return false;
  const first = document.line(start.line);
  if (encodeColumn(first, start.character, encoding) !== raw.start.character) return false;
  const last = end.line === start.line ? first : document.line(end.line);
  return end.character === last.length || encodeColumn(last, end.character, encoding) === raw.end.character;
}

type DecodedFile = Pick<Span, 'path' | 'standing'> & {
  readonly document: Document | undefined;
  readonly isNotebook: boolean;
  readonly isGone?: boolean;
  /** The top folder of another worktree in the workspace. */
  readonly worktree?: string | undefined;
};

/** Returns a file with a cached text: most have one, and a promise for each would cost more than the rest. */
function knownFile(workspace: Workspace, uri: string): DecodedFile | undefined {
  const { path, standing } = workspace.fromUri(uri);
  const document = standing === 'outside' ? undefined : workspace.cached(path);
  return document && { path, standing, document, isNotebook: isNotebook(path) };
}

/** An unreadable file keeps the server's own columns: the answer is still worth showing. */
async function decodeFile(workspace: Workspace, uri: string): Promise<DecodedFile> {
  const file = workspace.fromUri(uri);
  const admitted = { ...file, isNotebook: isNotebook(file.path) };
  if (admitted.standing === 'outside')
    return { ...admitted, document: undefined, worktree: workspace.worktreeIn(admitted.path) };
  return workspace.read(admitted.path).then(
    (document) => ({ ...admitted, document }),
    (error: unknown) => {
      const isGone = error instanceof LspanError && error.code === 'not_found';
      return { ...admitted, document: undefined, isGone };
    },
  );
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

/** Moves a position between the halves of a surrogate pair after it, whatever the encoding. */
function afterPair(text: string, column: number): number {
  const isInside = column > 0 && (text.codePointAt(column - 1) ?? 0) > 0xffff;
  return isInside ? column + 1 : column;
}

function readPosition(value: unknown): Position | undefined {
  const { line, character } = object(value);
  const row = number(line);
  const column = number(character);
  if (row === undefined || column === undefined) return undefined;
  return { line: Math.max(0, Math.trunc(row)), character: Math.max(0, Math.trunc(column)) };
}

function isWhole(value: unknown): boolean {
  const { line, character } = object(value);
  return isCount(line) && isCount(character);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}
