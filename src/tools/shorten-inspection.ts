import { limits } from '../core/limits.ts';
import { cutBytes } from './cut-text.ts';
import type { Inspection, Piece } from './inspection.ts';

/**
 * As much of an inspection as about so many bytes hold. The source has half of them and the hover a quarter, if they
 * need as much; what is left goes to problems, callers, implementations and references, in this order; and what these
 * do not need goes to the source again.
 */
export function shortenInspection(data: Inspection, bytes: number): Inspection {
  const { source, hover, diagnostics, calls, implementations, references } = data;
  const hovered = hover === undefined ? undefined : cutHover(hover, Math.floor(bytes / 4));
  const reserved = Math.min(sizeOf(source ?? []), Math.floor(bytes / 2));
  const room = roomOf(bytes - reserved - Buffer.byteLength(hovered ?? ''));
  const kept = {
    ...(diagnostics ? { diagnostics: room.keep(diagnostics) } : {}),
    ...(calls ? { calls: room.keep(calls) } : {}),
    ...(implementations ? { implementations: room.keep(implementations) } : {}),
    ...(references ? { references: room.keep(references) } : {}),
  };
  return {
    ...data,
    definitions: data.definitions.slice(0, limits.inspect.definitions),
    ...(source ? { source: cutSource(source, room.left() + reserved) } : {}),
    ...(hovered === undefined ? {} : { hover: hovered }),
    ...kept,
  };
}

/** A source of at most so many bytes and lines: each piece that is too long loses its middle. */
export function cutSource(pieces: readonly Piece[], bytes = Number.POSITIVE_INFINITY): Piece[] {
  const share = Math.floor(bytes / Math.max(1, pieces.length));
  return pieces.flatMap((piece) => cutPiece(piece, share));
}

function cutPiece(piece: Piece, bytes: number): Piece[] {
  const lines = piece.text.split('\n');
  if (lines.length <= limits.inspect.sourceLines && Buffer.byteLength(piece.text) <= bytes) return [piece];
  const perLine = Buffer.byteLength(piece.text) / lines.length;
  const most = Math.min(
    limits.inspect.sourceLines,
    Math.max(1, lines.length - 1),
    Math.floor(bytes / perLine),
  );
  const head = Math.max(1, Math.ceil((most * 2) / 3));
  const tail = Math.max(0, most - head);
  // One line alone may be more than there is room for.
  const room = Math.max(limits.inspect.leastLine, Math.min(bytes, limits.inspect.lineLength));
  const short = (line: string) => (line.length > room ? `${line.slice(0, room)}…` : line);
  const part = (from: number, to: number) => ({
    file_path: piece.file_path,
    line: piece.line + from,
    end_line: piece.line + to - 1,
    text: lines.slice(from, to).map(short).join('\n'),
  });
  return [part(0, head), ...(tail > 0 ? [part(lines.length - tail, lines.length)] : [])];
}

function cutHover(hover: string, bytes: number): string {
  return Buffer.byteLength(hover) <= bytes ? hover : cutBytes(hover, bytes);
}

function sizeOf(things: readonly unknown[]): number {
  return things.reduce((sum: number, thing) => sum + Buffer.byteLength(JSON.stringify(thing)), 0);
}

/** Room that lists share, one after the other: each keeps as much from its beginning as there is room for. */
function roomOf(bytes: number) {
  let left = Math.max(0, bytes);
  return {
    left: () => left,
    keep<T>(things: readonly T[]): T[] {
      const kept: T[] = [];
      for (const thing of things) {
        const size = sizeOf([thing]);
        if (size > left) break;
        left -= size;
        kept.push(thing);
      }
      return kept;
    },
  };
}
