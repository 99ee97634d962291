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
  const files = await readShown(context, spans);
  const enclosingOf = await enclosingSymbols(context, [...files.values()].filter(isInside), call);
  const [locations, pace]: [Location[], Pace] = [[], new Pace()];
  for (const span of spans) {
    // An outline may be huge, and every span is looked up in it.
    if (pace.isLate()) await pace.rest();
    const location = toLocation(span, files.get(span.path));
    if (span.indexed) await addIndexedLine(context, span, location);
    const enclosing = enclosingOf(span.path, span.range);
    if (enclosing !== undefined) location.in = enclosing;
    locations.push(location);
  }
  return locations;
}

/** Like `toLocations`, but without the enclosing symbol, for places that a search has found. */
export async function toSearchedLocations(context: ToolContext, spans: readonly Span[]): Promise<Location[]> {
  const files = await readShown(context, spans);
  const locations = spans.map((span) => toLocation(span, files.get(span.path)));
  for (const [index, span] of spans.entries())
    if (span.indexed) await addIndexedLine(context, span, locations[index]);
  return locations;
}

/** A file of which places are shown. */
interface ShownFile {
  readonly shownPath: string;
  readonly standing: Span['standing'];
  /** Its text, if a line of it may be shown. */
  readonly document: Document | undefined;
  /** The last line of which something is shown. */
  lastLine: number;
}

function isInside(file: ShownFile): file is ShownFile & { readonly document: Document } {
  return file.standing === 'inside' && file.document !== undefined;
}

/** Reads the files of spans, without the text of secrets and of what is outside the workspace and its libraries. */
async function readShown(
  context: ToolContext,
  spans: readonly Span[],
): Promise<ReadonlyMap<string, ShownFile>> {
  const { workspace } = context;
  const files = new Map<string, ShownFile>();
  for (const { path, standing, range } of spans) {
    const { line } = range.start;
    const known = files.get(path);
    if (known) {
      known.lastLine = Math.max(line, known.lastLine);
      continue;
    }
    const isHidden = standing === 'outside' || isSecret(context, { path });
    const document = isHidden ? undefined : (workspace.cached(path) ?? (await documentAt(context, path)));
    files.set(path, { shownPath: workspace.show(path), standing, document, lastLine: line });
  }
  return files;
}

/** Returns whether a file that a search has found, and the agent has not named, may contain secrets. */
export function isSecret({ workspace }: ToolContext, { path }: Pick<Span, 'path'>): boolean {
  const root = workspace.rootOf(path);
  return root !== undefined && holdsSecrets(path.slice(root.length));
}

function toLocation({ path, range, standing, clamped, indexed }: Span, file?: ShownFile): Location {
  const { start, end } = range;
  // In full, not as a copy of the shown range: answers have hundreds of places.
  const location: Location = {
    file_path: file?.shownPath ?? path,
    line: start.line + 1,
    character: start.character + 1,
    end_line: end.line + 1,
    end_character: end.character + 1,
  };
  if (file?.document) location.text = codeLine(file.document.line(start.line), range);
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
