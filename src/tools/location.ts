import { z } from 'zod';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import { comparePositions, type Range, toLineColumn } from '../core/positions.ts';
import type { Span } from '../core/questions.ts';
import { enclosingSymbols } from './outlines.ts';
import type { World } from './tool.ts';

/** A location as answers carry it: the names of the inputs, so that it can be pasted into the next call. */
export const location = z.object({
  file_path: z.string(),
  line: z.int(),
  character: z.int(),
  end_line: z.int(),
  end_character: z.int(),
  text: z.string().optional(),
  in: z.string().optional(),
  external: z.enum(['library', 'outside']).optional(),
});

export type Location = z.output<typeof location>;

/** Turns spans into locations with their line of code and the symbol that they stand in. */
export async function toLocations(world: World, spans: readonly Span[], call: Call): Promise<Location[]> {
  const holderOf = await enclosingSymbols(world, spans, call);
  return Promise.all(
    spans.map(async (span) => {
      const holder = holderOf(span);
      return { ...(await toLocation(world, span)), ...(holder === undefined ? {} : { in: holder }) };
    }),
  );
}

/** Turns a span into a location with its line of code. */
export async function toLocation(world: World, span: Span): Promise<Location> {
  const text = await codeLine(world, span);
  return {
    file_path: world.workspace.show(span.path),
    ...shownRange(span.range),
    ...(text === undefined ? {} : { text }),
    ...(span.standing === 'inside' ? {} : { external: span.standing }),
  };
}

/** A range as agents see it. */
export function shownRange(range: Range) {
  const [start, end] = [toLineColumn(range.start), toLineColumn(range.end)];
  return { line: start.line, character: start.character, end_line: end.line, end_character: end.character };
}

/** Removes spans that say the same, and orders them: the workspace before libraries, by path, by position. */
export function orderSpans(spans: readonly Span[]): Span[] {
  return uniqueSpans(spans).sort(
    (a, b) =>
      standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
      (a.path === b.path ? comparePositions(a.range.start, b.range.start) : a.path < b.path ? -1 : 1),
  );
}

/** Removes spans that say the same, in the order given. */
export function uniqueSpans(spans: readonly Span[]): Span[] {
  const key = ({ path, range: { start, end } }: Span) =>
    `${start.line}:${start.character}:${end.line}:${end.character}:${path}`;
  return [...new Map(spans.map((span) => [key(span), span])).values()];
}

const standings = ['inside', 'library', 'outside'];

/** The line of code of a span, cut around it when it is long; nothing outside the workspace and its libraries is read. */
async function codeLine(world: World, { path, range, standing }: Span): Promise<string | undefined> {
  if (standing === 'outside') return undefined;
  const document = await world.workspace.read(path).catch(() => undefined);
  if (!document) return undefined;
  const line = document.line(range.start.line);
  const most = limits.results.lineLength;
  if (line.length <= most) return line.trim();
  const from = Math.max(0, Math.min(range.start.character - most / 2, line.length - most));
  return `${from > 0 ? '…' : ''}${line.slice(from, from + most).trim()}${from + most < line.length ? '…' : ''}`;
}
