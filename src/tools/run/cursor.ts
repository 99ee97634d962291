import { createHash } from 'node:crypto';
import { LspanError } from '../../core/errors.ts';

/** Where a list continues: in which snapshot, and after how many items. */
export interface Cursor {
  readonly snapshot: string;
  readonly offset: number;
}

/** Names a snapshot by a hash of question and findings: equal for equal input, and revealing neither. */
export function snapshotId(tool: string, question: string, digest: string): string {
  return hash([tool, question, digest]).slice(0, 10);
}

/** Writes a cursor of a tool. A checksum of tool, snapshot and offset at its end detects an altered one. */
export function writeCursor(tool: string, { snapshot, offset }: Cursor): string {
  return `${snapshot}-${offset}-${hash([tool, snapshot, offset]).slice(0, 4)}`;
}

/** Reads a cursor of a tool. Throws `cursor_invalid`. */
export function readCursor(tool: string, given: string): Cursor {
  const [, snapshot, digits] = /^([0-9a-f]{10})-([1-9]\d{0,4})-[0-9a-f]{4}$/.exec(given) ?? [];
  if (snapshot === undefined) throw invalidCursor('This cursor is not from an earlier answer.');
  const cursor = { snapshot, offset: Number(digits) };
  if (writeCursor(tool, cursor) !== given) throw invalidCursor(`This is not a cursor of ${tool}.`);
  return cursor;
}

/** Returns the error for a cursor that does not belong to the call. */
export function invalidCursor(message: string): LspanError {
  return new LspanError('cursor_invalid', message, {
    nextStep:
      'Pass `next_cursor` unchanged to the same tool, alone or with the same arguments; or call without `cursor`.',
  });
}

function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
