import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { contains } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { filterInSlices, groupInSlices } from '../../core/runtime/slices.ts';
import { type Mentions, toMentionsData } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderManySpans } from '../show/location.ts';
import type { Located } from '../target/target-fields.ts';
import type { FoundUses } from './find-uses.ts';

/** The ordered uses of a symbol, other mentions of its name, and why there may be more. */
interface ListedUses {
  readonly spans: readonly Span[];
  readonly mentioned: Mentions;
  readonly doubts: readonly Doubt[];
}

/** Which of the uses are listed. */
interface UseOptions {
  readonly declarations: boolean;
  /** True if all mentions are wanted, not only those that may matter. */
  readonly allMentions?: boolean;
}

/** Lists the uses of a symbol that were found. */
export async function listUses(
  context: ToolContext,
  located: Located,
  reply: FoundUses,
  { declarations, allMentions = false }: UseOptions,
  call: Call,
): Promise<ListedUses> {
  const { place, doubts } = located;
  const ordered = await orderManySpans(reply.answer);
  const spans = declarations ? ordered : await usesOnly(context, place, ordered, call);
  const mentioned = await toMentionsData(context, reply.mentioned, allMentions);
  return { spans, mentioned, doubts: [...doubts, ...reply.doubts] };
}

/**
 * Leaves out the declarations of the symbol. If it is both declared and defined, a server asked about one returns the
 * other, so it is asked again about that.
 */
async function usesOnly(
  context: ToolContext,
  place: Place,
  spans: readonly Span[],
  call: Call,
): Promise<readonly Span[]> {
  const { answer: declared } = await context.backend.ask({ kind: 'definition', place }, call);
  const others = await withoutDeclarations(spans, declared);
  const kept = new Set(others);
  const first = spans.find((span) => !kept.has(span));
  if (first === undefined || (first.path === place.path && contains(first.range, place.position)))
    return others;
  const there: Place = { path: first.path, position: first.range.start };
  const counterpart = await context.backend.ask({ kind: 'definition', place: there }, call);
  return withoutDeclarations(others, counterpart.answer);
}

/** Removes the names in declarations; a declaration may be given with its whole range, which also contains uses. */
async function withoutDeclarations(
  spans: readonly Span[],
  declared: readonly Span[],
): Promise<readonly Span[]> {
  if (declared.length === 0) return spans;
  const lineOf = ({ path, range: { start } }: Span) => `${start.line}:${path}`;
  const byLine = await groupInSlices(declared, lineOf);
  return filterInSlices(spans, (span) => {
    const onItsLine = byLine.get(lineOf(span));
    return !onItsLine?.some(({ range }) => contains(range, span.range.start));
  });
}
