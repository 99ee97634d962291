import { comparePositions, type Range } from '../../core/positions.ts';
import type { Span } from '../../core/questions.ts';
import { eachInSlices, inOrder } from '../../core/runtime/slices.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import type { Location } from './shapes.ts';

/** What may be told of results, and how many lie outside the allowed roots. */
export interface Allowed<T> {
  readonly items: readonly T[];
  readonly filtered: number;
}

/** Makes items of results, and leaves out those whose place lies outside the allowed roots. */
export async function allowed<S, T>(
  { workspace }: ToolContext,
  results: readonly S[],
  spanOf: (result: S) => Pick<Span, 'path' | 'standing'>,
  make: (result: S, uri: string) => T,
): Promise<Allowed<T>> {
  const items: T[] = [];
  await eachInSlices(results, (result) => {
    const { path, standing } = spanOf(result);
    if (standing !== 'outside' && workspace.isNamedByUser(path))
      items.push(make(result, workspace.uri(path)));
  });
  return { items, filtered: results.length - items.length };
}

/** The places of spans, in their order and each once. */
export async function allowedLocations(
  context: ToolContext,
  spans: readonly Span[],
): Promise<Allowed<Location>> {
  const { items, filtered } = await allowed(context, spans, (span) => span, toLocation);
  return { items: await inOrder(items, compareLocations), filtered };
}

/** A span as a place with its URI. */
export function toLocation({ range, clamped }: Pick<Span, 'range' | 'clamped'>, uri: string): Location {
  return { uri, range, ...(clamped ? { clamped } : {}) };
}

/** By URI, then by where they begin and end. */
export function compareLocations(a: Location, b: Location): number {
  return compareTexts(a.uri, b.uri) || compareRanges(a.range, b.range);
}

/** By where they begin, then by where they end. */
export function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(a.end, b.end);
}

/** By UTF-16 units, whatever the language of the machine; what is absent comes first. */
export function compareTexts(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
