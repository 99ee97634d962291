import { encodeColumn, type Position, type PositionEncoding } from '../../../core/positions.ts';
import type { Place } from '../../../core/questions.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** What a row needs to translate between our words and a server's. */
export interface Translation {
  /** The server's id, for messages. */
  readonly server: string;
  readonly workspace: Workspace;
  readonly encoding: PositionEncoding;
  /** How a search for symbols is worded for the server. */
  readonly wordQuery: (query: string) => string;
  readonly columnsBeyondLineEnd?: true;
  /** Whether the server counts the byte order mark of this file, which it reads itself, as a column of its first line. */
  readonly countsMark?: (path: string) => boolean;
  /** The problems of the document as the server itself words them, where the question is about those. */
  readonly problems?: readonly unknown[];
  /** What the server was told of documents when it was asked, where that matters to the answer. */
  readonly told?: {
    version(path: string): number | undefined;
    /** Whether a file has changed since. */
    isOld(path: string): boolean;
  };
}

/** The document and the position that most requests are about. */
export async function positionParams(
  { path, position }: Place,
  { workspace, encoding }: Translation,
): Promise<Json> {
  const document = await workspace.read(path);
  return {
    textDocument: { uri: workspace.uri(path) },
    position: encodePosition(document, position, encoding),
  };
}

/** A position of ours in the units of a server. */
function encodePosition(
  document: Document,
  { line, character }: Position,
  encoding: PositionEncoding,
): Position {
  return { line, character: encodeColumn(document.line(line), character, encoding) };
}
