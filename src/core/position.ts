/** A position: 0-based, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range; the end is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A position as agents see it: 1-based, counted in UTF-16 units. */
interface LineColumn {
  readonly line: number;
  readonly character: number;
}

/** Units in which a language server may count columns. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** Converts a position for an agent. */
export function toLineColumn(position: Position): LineColumn {
  return { line: position.line + 1, character: position.character + 1 };
}

/** Converts a position from an agent. */
export function fromLineColumn(shown: LineColumn): Position {
  return { line: shown.line - 1, character: shown.character - 1 };
}

/** Orders positions as in the text. */
export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** Returns whether a position is in a range, including its end. */
export function contains(range: Range, position: Position): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}

/** Converts a server's column in its own units to a UTF-16 column, clamped to the line. */
export function decodeColumn(line: string, column: number, encoding: PositionEncoding): number {
  if (encoding === 'utf-16' || isAscii(line)) return clamp(column, line.length);
  let units = 0;
  let index = 0;
  for (const symbol of line) {
    if (units >= column) break;
    units += width(symbol, encoding);
    index += symbol.length;
  }
  return index;
}

/** Converts a UTF-16 column of a line, clamped to the line, to a server's units. */
export function encodeColumn(line: string, character: number, encoding: PositionEncoding): number {
  const clamped = clamp(character, line.length);
  if (encoding === 'utf-16' || isAscii(line)) return clamped;
  let units = 0;
  let index = 0;
  for (const symbol of line) {
    if (index >= clamped) break;
    units += width(symbol, encoding);
    index += symbol.length;
  }
  return units;
}

function width(symbol: string, encoding: PositionEncoding): number {
  return encoding === 'utf-32' ? 1 : Buffer.byteLength(symbol, 'utf8');
}

function clamp(value: number, most: number): number {
  return value > 0 ? Math.min(Math.trunc(value), most) : 0;
}

function isAscii(line: string): boolean {
  return /^[\x00-\x7f]*$/.test(line);
}
