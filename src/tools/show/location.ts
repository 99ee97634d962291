import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { compareSpans } from '../../core/compare-spans.ts';
import { limits } from '../../core/limits.ts';
import type { Range } from '../../core/positions.ts';
import type { Span } from '../../core/questions.ts';
import { eachInSlices, Pace, sortInSlices } from '../../core/runtime/slices.ts';
import { holdsSecrets } from '../../workspace/gate/secret-files.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { enclosingSymbols } from '../state/outlines.ts';

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
  /** The server named a position that the text does not have: this is the nearest. */
  clamped: z.literal(true).optional(),
});

export type Location = z.output<typeof location>;

/** Turns spans into locations with their line of code and the symbol that they stand in; secrets are only named. */
export async function toLocations(
  context: ToolContext,
  spans: readonly Span[],
  call: Call,
): Promise<Location[]> {
  const documents = await readShown(context, spans);
  const inside = new Set(spans.filter(({ standing }) => standing === 'inside').map(({ path }) => path));
  const own = [...documents.values()].filter(({ path }) => inside.has(path));
  const holderOf = await enclosingSymbols(context, own, call);
  const [locations, pace]: [Location[], Pace] = [[], new Pace()];
  for (const span of spans) {
    // An outline may be huge, and each span is looked for in it.
    if (pace.isLate()) await pace.rest();
    const holder = holderOf(span.path, span.range);
    const location = toLocation(context, span, documents.get(span.path));
    if (holder !== undefined) location.in = holder;
    locations.push(location);
  }
  return locations;
}

/** The same for places that a search has come upon: secrets are only named. */
export async function toSearchedLocations(context: ToolContext, spans: readonly Span[]): Promise<Location[]> {
  const documents = await readShown(context, spans);
  return spans.map((span) => toLocation(context, span, documents.get(span.path)));
}

function readShown(context: ToolContext, spans: readonly Span[]): Promise<Map<string, Document>> {
  // Many stand in the same file.
  const one = new Map(spans.map((span) => [span.path, span]));
  return readReachable(
    context,
    [...one.values()].filter((span) => !isSecret(context, span)),
  );
}

/** Whether a place that a search has come upon, where the agent did not name the file, may hold secrets. */
export function isSecret({ workspace }: ToolContext, { path }: Pick<Span, 'path'>): boolean {
  const root = workspace.rootOf(path);
  return root !== undefined && holdsSecrets(path.slice(root.length));
}

function toLocation(
  { workspace }: ToolContext,
  { path, range, standing, clamped }: Span,
  document: Document | undefined,
): Location {
  const location: Location = { file_path: workspace.show(path), ...shownRange(range) };
  if (document) location.text = codeLine(document, range);
  if (standing !== 'inside') location.external = standing;
  if (clamped) location.clamped = true;
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
export function orderSpans<S extends Span>(spans: readonly S[]): S[] {
  const ordered = [...spans].sort(compareSpans);
  return ordered.filter((span, index) => {
    const before = ordered[index - 1];
    return before === undefined || compareSpans(before, span) !== 0;
  });
}

/** The same for spans that may be very many. */
export async function orderManySpans<S extends Span>(spans: readonly S[]): Promise<S[]> {
  const ordered: S[] = [];
  await eachInSlices(await sortInSlices(spans, compareSpans), (span) => {
    const before = ordered.at(-1);
    if (before === undefined || compareSpans(before, span) !== 0) ordered.push(span);
  });
  return ordered;
}

/** Removes spans that say the same, in the order given. */
export function uniqueSpans(spans: readonly Span[]): Span[] {
  return [...new Map(spans.map((span) => [spanKey(span), span])).values()];
}

/** Tells a span from all others. */
export function spanKey({ path, range: { start, end } }: Span): string {
  return `${start.line}:${start.character}:${end.line}:${end.character}:${path}`;
}

/** The documents of spans; nothing outside the workspace and its libraries is read, and what is gone has no line. */
async function readReachable(context: ToolContext, spans: readonly Span[]): Promise<Map<string, Document>> {
  const paths = new Set(spans.filter(({ standing }) => standing !== 'outside').map(({ path }) => path));
  const documents = new Map<string, Document>();
  for (const path of paths) {
    const document =
      context.workspace.cached(path) ?? (await context.workspace.read(path).catch(() => undefined));
    if (document) documents.set(path, document);
  }
  return documents;
}

/** The line where a range begins, cut around it when it is long. */
export function codeLine(document: Document, { start }: Range): string {
  const line = document.line(start.line);
  const most = limits.results.lineLength;
  if (line.length <= most) return line.trim();
  const from = Math.max(0, Math.min(start.character - most / 2, line.length - most));
  return `${from > 0 ? '…' : ''}${line.slice(from, from + most).trim()}${from + most < line.length ? '…' : ''}`;
}
