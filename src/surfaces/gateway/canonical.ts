import { comparePositions, type Range } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { eachInSlices, inOrder } from '../../core/runtime/slices.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import type { Location } from './shapes.ts';

/** Results that may be shown, and how many are outside the allowed roots. */
interface Allowed<T> {
  readonly items: readonly T[];
  readonly filtered: number;
}

/** Converts results, and leaves out those that are outside the allowed roots. */
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

/** Returns the places of spans, in order and without duplicates. */
export async function allowedLocations(
  context: ToolContext,
  spans: readonly Span[],
): Promise<Allowed<Location>> {
  const { items, filtered } = await allowed(context, spans, (span) => span, toLocation);
  return { items: await inOrder(items, compareLocations), filtered };
}

/** Converts a span to a place with its URI. */
export function toLocation({ range, clamped }: Pick<Span, 'range' | 'clamped'>, uri: string): Location {
  return { uri, range, ...(clamped ? { clamped } : {}) };
}

/** Compares by URI, then by start and end. */
export function compareLocations(a: Location, b: Location): number {
  return compareTexts(a.uri, b.uri) || compareRanges(a.range, b.range);
}

/** Compares by start, then by end. */
export function compareRanges(a: Range, b: Range): number {
  return comparePositions(a.start, b.start) || comparePositions(a.end, b.end);
}
