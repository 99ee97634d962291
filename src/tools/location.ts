import { z } from 'zod';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import { comparePositions, type Range } from '../core/positions.ts';
import type { Span } from '../core/questions.ts';
import type { Document } from '../workspace/document.ts';
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
  const documents = await readReachable(world, spans);
  const inside = new Set(spans.filter(({ standing }) => standing === 'inside').map(({ path }) => path));
  const own = [...documents.values()].filter(({ path }) => inside.has(path));
  const holderOf = await enclosingSymbols(world, own, call);
  return spans.map((span) => {
    const holder = holderOf(span.path, span.range);
    const location = toLocation(world, span, documents.get(span.path));
    if (holder !== undefined) location.in = holder;
    return location;
  });
}

/** Turns spans into locations with their line of code. */
export async function toPlainLocations(world: World, spans: readonly Span[]): Promise<Location[]> {
  const documents = await readReachable(world, spans);
  return spans.map((span) => toLocation(world, span, documents.get(span.path)));
}

function toLocation(
  { workspace }: World,
  { path, range, standing }: Span,
  document: Document | undefined,
): Location {
  const location: Location = { file_path: workspace.show(path), ...shownRange(range) };
  if (document) location.text = codeLine(document, range);
  if (standing !== 'inside') location.external = standing;
  return location;
}

/** A range as agents see it. */
export function shownRange({ start, end }: Range) {
  return {
    line: start.line + 1,
    character: start.character + 1,
    end_line: end.line + 1,
    end_character: end.character + 1,
  };
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

/** The documents of spans; nothing outside the workspace and its libraries is read, and what is gone has no line. */
async function readReachable(world: World, spans: readonly Span[]): Promise<Map<string, Document>> {
  const paths = new Set(spans.filter(({ standing }) => standing !== 'outside').map(({ path }) => path));
  const read = (path: string) => world.workspace.read(path).catch(() => undefined);
  const documents = await Promise.all([...paths].map(read));
  return new Map(documents.flatMap((document) => (document ? [[document.path, document]] : [])));
}

/** The line where a range begins, cut around it when it is long. */
function codeLine(document: Document, { start }: Range): string {
  const line = document.line(start.line);
  const most = limits.results.lineLength;
  if (line.length <= most) return line.trim();
  const from = Math.max(0, Math.min(start.character - most / 2, line.length - most));
  return `${from > 0 ? '…' : ''}${line.slice(from, from + most).trim()}${from + most < line.length ? '…' : ''}`;
}
