import { encodeColumn, type Position, type PositionEncoding } from '../../../core/position.ts';
import type { Place } from '../../../core/question.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** Dependencies of a row for converting questions and answers. */
export interface Translation {
  /** The server's id, for messages. */
  readonly server: string;
  readonly workspace: Workspace;
  readonly encoding: PositionEncoding;
  /** Adapts a symbol query to the server. */
  readonly wordQuery: (query: string) => string;
  readonly columnsBeyondLineEnd?: true;
  /** Returns whether the server reads this file itself and counts its byte order mark as a column. */
  readonly countsMark?: (path: string) => boolean;
  /** Returns whether the message of a diagnostic must not be shown. */
  readonly withholds?: (diagnostic: unknown) => boolean;
  /** What is defined outside the workspace is not shown. */
  readonly withholdsOutside?: boolean;
  /** Diagnostics of the document exactly as the server sent them, if the question needs them. */
  readonly problems?: readonly unknown[];
  /** The state of documents at the server when it was asked, if the answer depends on it. */
  readonly told?: {
    version(path: string): number | undefined;
    /** Returns whether a file has changed since. */
    isOld(path: string): boolean;
  };
}

/** Returns the document and position, as most requests need them. */
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

function encodePosition(
  document: Document,
  { line, character }: Position,
  encoding: PositionEncoding,
): Position {
  return { line, character: encodeColumn(document.line(line), character, encoding) };
}
