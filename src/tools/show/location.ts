import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { compareSpans } from '../../core/compare-spans.ts';
import { limits } from '../../core/limits.ts';
import type { Range } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { eachInSlices, Pace, sortInSlices } from '../../core/runtime/slices.ts';
import { holdsSecrets } from '../../workspace/gate/secret-files.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { enclosingSymbols } from '../state/outlines.ts';
import { documentAt } from './document-at.ts';

/** A location as answers contain it; its fields are named like those of inputs, to be pasted into the next call. */
export const location = z.object({
  file_path: z.string(),
  line: z.int(),
  character: z.int(),
  end_line: z.int(),
  end_character: z.int(),
  text: z.string().optional(),
  in: z.string().optional(),
  external: z.enum(['library', 'outside', 'repository']).optional(),
  /** Present if the server named a position that the text does not have: this is the nearest one. */
  clamped: z.literal(true).optional(),
});

export type Location = z.output<typeof location>;

/** Converts spans to locations with line of code and enclosing symbol; files with secrets get neither. */
export async function toLocations(
  context: ToolContext,
  spans: readonly Span[],
  call: Call,
): Promise<Location[]> {
  const documents = await readShown(context, spans);
  const inside = new Set(spans.filter(({ standing }) => standing === 'inside').map(({ path }) => path));
  const lastLines = new Map<string, number>();
  for (const { path, range } of spans)
    lastLines.set(path, Math.max(range.start.line, lastLines.get(path) ?? 0));
  const own = [...documents.values()].filter(({ path }) => inside.has(path));
  const shown = own.map((document) => ({ document, lastLine: lastLines.get(document.path) ?? 0 }));
  const enclosingOf = await enclosingSymbols(context, shown, call);
  const [locations, pace]: [Location[], Pace] = [[], new Pace()];
  for (const span of spans) {
    // An outline may be huge, and every span is looked up in it.
    if (pace.isLate()) await pace.rest();
    const enclosing = enclosingOf(span.path, span.range);
    const location = toLocation(context, span, documents.get(span.path));
    if (span.indexed) await addIndexedLine(context, span, location);
    if (enclosing !== undefined) location.in = enclosing;
    locations.push(location);
  }
  return locations;
}

/** Like `toLocations`, but without the enclosing symbol, for places that a search has found. */
export async function toSearchedLocations(context: ToolContext, spans: readonly Span[]): Promise<Location[]> {
  const documents = await readShown(context, spans);
  const locations = spans.map((span) => toLocation(context, span, documents.get(span.path)));
  for (const [index, span] of spans.entries())
    if (span.indexed) await addIndexedLine(context, span, locations[index]);
  return locations;
}

/** Reads the documents of spans, except secrets and what is outside the workspace and its libraries; skips lost files. */
async function readShown(context: ToolContext, spans: readonly Span[]): Promise<Map<string, Document>> {
  const documents = new Map<string, Document>();
  // Many spans are in the same file.
  const byPath = new Map(spans.map((span) => [span.path, span]));
  for (const [path, span] of byPath) {
    if (span.standing === 'outside' || isSecret(context, span)) continue;
    const document = await documentAt(context, path);
    if (document) documents.set(path, document);
  }
  return documents;
}

/** Returns whether a file that a search has found, and the agent has not named, may contain secrets. */
export function isSecret({ workspace }: ToolContext, { path }: Pick<Span, 'path'>): boolean {
  const root = workspace.rootOf(path);
  return root !== undefined && holdsSecrets(path.slice(root.length));
}

function toLocation(
  { workspace }: ToolContext,
  { path, range, standing, clamped, indexed }: Span,
  document: Document | undefined,
): Location {
  const location: Location = { file_path: workspace.show(path), ...shownRange(range) };
  if (document) location.text = codeLine(document.line(range.start.line), range);
  if (standing !== 'inside') location.external = indexed ? 'repository' : standing;
  if (clamped) location.clamped = true;
  return location;
}

/** Converts a range to the 1-based numbers that agents see. */
export function shownRange({ start, end }: Range) {
  return {
    line: start.line + 1,
    character: start.character + 1,
    end_line: end.line + 1,
    end_character: end.character + 1,
  };
}

/** Removes duplicate spans and orders the rest: the workspace before libraries, then by path, then by position. */
export function orderSpans<S extends Span>(spans: readonly S[]): S[] {
  const ordered = [...spans].sort(compareSpans);
  return ordered.filter((span, index) => {
    const before = ordered[index - 1];
    return before === undefined || compareSpans(before, span) !== 0;
  });
}

/** Like `orderSpans`, but lets other work run in between: for very many spans. */
export async function orderManySpans<S extends Span>(spans: readonly S[]): Promise<S[]> {
  const ordered: S[] = [];
  await eachInSlices(await sortInSlices(spans, compareSpans), (span) => {
    const before = ordered.at(-1);
    if (before === undefined || compareSpans(before, span) !== 0) ordered.push(span);
  });
  return ordered;
}

/** Removes duplicate spans and keeps the order. */
export function uniqueSpans<S extends Span>(spans: readonly S[]): S[] {
  return [...new Map(spans.map((span) => [spanKey(span), span])).values()];
}

/** Returns a key that is different for every span. */
export function spanKey({ path, range: { start, end } }: Span): string {
  return `${start.line}:${start.character}:${end.line}:${end.character}:${path}`;
}

/** Adds the line of code in another repository, if an index has it; secrets are never shown. */
async function addIndexedLine({ repositories }: ToolContext, span: Span, location?: Location): Promise<void> {
  if (!location || !span.indexed || holdsSecrets(`/${span.indexed.path}`)) return;
  const line = await repositories?.line(span);
  if (line !== undefined) location.text = codeLine(line, span.range);
}

/** Returns the line where a range begins, cut around it if it is long. */
export function codeLine(line: string, { start }: Range): string {
  const most = limits.results.lineLength;
  if (line.length <= most) return line.trim();
  const from = Math.max(0, Math.min(start.character - most / 2, line.length - most));
  return `${from > 0 ? '…' : ''}${line.slice(from, from + most).trim()}${from + most < line.length ? '…' : ''}`;
}
