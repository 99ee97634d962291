import { limits } from '../../core/limits.ts';
import { cutBytes } from '../run/cut-text.ts';
import type { Piece } from '../target/symbol-definition.ts';
import type { Inspection } from './inspection.ts';

/**
 * Cuts an inspection to about so many bytes. The source gets up to half of them and the hover up to a quarter. The
 * rest goes to problems, callers, implementations and references, in this order; what they leave goes to the source.
 */
export function cutInspection(data: Inspection, bytes: number): Inspection {
  const { source, hover, diagnostics, calls, implementations, references, elsewhere } = data;
  const hovered = hover === undefined ? undefined : cutBytes(hover, Math.floor(bytes / 4));
  const reserved = Math.min(sizeOf(source ?? []), Math.floor(bytes / 2));
  const budget = sharedBudget(bytes - reserved - Buffer.byteLength(hovered ?? ''));
  const kept = {
    ...(diagnostics ? { diagnostics: budget.keep(diagnostics) } : {}),
    ...(calls ? { calls: budget.keep(calls) } : {}),
    ...(implementations ? { implementations: budget.keep(implementations) } : {}),
    ...(references ? { references: budget.keep(references) } : {}),
    ...(elsewhere ? { elsewhere: budget.keep(elsewhere) } : {}),
  };
  return {
    ...data,
    definitions: data.definitions.slice(0, limits.inspect.definitions),
    ...(source ? { source: cutSource(source, budget.left() + reserved) } : {}),
    ...(hovered === undefined ? {} : { hover: hovered }),
    ...kept,
  };
}

/** Cuts a source to so many bytes and lines. A declaration that is too long loses its middle, even if it was cut before. */
export function cutSource(pieces: readonly Piece[], bytes = Number.POSITIVE_INFINITY): Piece[] {
  const declarations = joinHalves(pieces);
  const share = Math.floor(bytes / Math.max(1, declarations.length));
  return declarations.flatMap((halves) => cutDeclaration(halves, share));
}

/** Returns how many of the kept lines are taken from the beginning. */
function headOf(lines: number): number {
  return Math.max(1, Math.ceil((lines * 2) / 3));
}

/** Joins the halves of declarations that were cut before, which are recognized by their lengths. */
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
  // A single line may be longer than the limit.
  const longest = Math.max(limits.inspect.leastLine, Math.min(bytes, limits.inspect.lineLength));
  const short = (line: string) => (line.length > longest ? `${line.slice(0, longest)}…` : line);
  return [lines.slice(0, head), lines.slice(lines.length - tail)].flatMap((some) => {
    const [first, last] = [some[0], some.at(-1)];
    if (!first || !last) return [];
    const text = some.map(({ code }) => short(code)).join('\n');
    return [{ file_path: first.file_path, line: first.line, end_line: last.line, text }];
  });
}

function sizeOf(things: readonly unknown[]): number {
  return things.reduce((sum: number, thing) => sum + Buffer.byteLength(JSON.stringify(thing)), 0);
}

/** A byte budget that several lists use up, one after the other; each keeps as many of its first items as fit. */
function sharedBudget(bytes: number) {
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
