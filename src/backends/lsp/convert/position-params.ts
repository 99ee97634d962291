import { encodeColumn, type Position, type PositionEncoding } from '../../../core/positions.ts';
import type { Place } from '../../../core/questions.ts';
import type { Json } from '../../../core/runtime/json.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Translation } from './translation.ts';

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
export function encodePosition(
  document: Document,
  { line, character }: Position,
  encoding: PositionEncoding,
): Position {
  return { line, character: encodeColumn(document.line(line), character, encoding) };
}
