import { limits } from '../../core/limits.ts';
import { cutBytes } from '../run/cut-text.ts';
import type { Piece } from '../target/symbol-definition.ts';
import type { Inspection } from './inspection.ts';

/**
 * As much of an inspection as about so many bytes hold. The source has half of them and the hover a quarter, if they
 * need as much; what is left goes to problems, callers, implementations and references, in this order; and what these
 * do not need goes to the source again.
 */
export function cutInspection(data: Inspection, bytes: number): Inspection {
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

/** A source of at most so many bytes and lines: each declaration that is too long loses its middle, also one that has lost some before. */
export function cutSource(pieces: readonly Piece[], bytes = Number.POSITIVE_INFINITY): Piece[] {
  const declarations = joinHalves(pieces);
  const share = Math.floor(bytes / Math.max(1, declarations.length));
  return declarations.flatMap((halves) => cutDeclaration(halves, share));
}

/** How many lines from the beginning are kept where so many are. */
function headOf(lines: number): number {
  return Math.max(1, Math.ceil((lines * 2) / 3));
}

/** What is left of one declaration is known by its lengths. */
function joinHalves(pieces: readonly Piece[]): Piece[][] {
  const most = limits.inspect.sourceLines;
  const lengthOf = ({ line, end_line }: Piece) => end_line - line + 1;
  const declarations: Piece[][] = [];
  for (const piece of pieces) {
    const [head, tail] = declarations.at(-1) ?? [];
    const isTail =
      head !== undefined &&
      tail === undefined &&
      head.file_path === piece.file_path &&
      lengthOf(head) === headOf(most) &&
      lengthOf(piece) === most - headOf(most);
    if (isTail) declarations.at(-1)?.push(piece);
    else declarations.push([piece]);
  }
  return declarations;
}

function cutDeclaration(halves: readonly Piece[], bytes: number): readonly Piece[] {
  const size = halves.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const lines = halves.flatMap(({ file_path, line, text }) =>
    text.split('\n').map((code, at) => ({ file_path, line: line + at, code })),
  );
  if (lines.length <= limits.inspect.sourceLines && size <= bytes) return halves;
  const most = Math.min(
    limits.inspect.sourceLines,
    Math.max(1, lines.length - 1),
    Math.floor((bytes * lines.length) / size),
  );
  const head = headOf(most);
  const tail = Math.max(0, most - head);
  // One line alone may be more than there is room for.
  const room = Math.max(limits.inspect.leastLine, Math.min(bytes, limits.inspect.lineLength));
  const short = (line: string) => (line.length > room ? `${line.slice(0, room)}…` : line);
  return [lines.slice(0, head), lines.slice(lines.length - tail)].flatMap((some) => {
    const [first, last] = [some[0], some.at(-1)];
    if (!first || !last) return [];
    const text = some.map(({ code }) => short(code)).join('\n');
    return [{ file_path: first.file_path, line: first.line, end_line: last.line, text }];
  });
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
