import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { HierarchyNode, Place } from '../../core/question.ts';
import { cutDoubts, definedElsewhere } from '../navigation/build-hierarchy.ts';
import type { FoundUses } from '../navigation/find-uses.ts';
import { unreportedCalls } from '../navigation/unreported-calls.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderSpans, spanKey, toSearchedLocations } from '../show/location.ts';
import type { Located } from '../target/target-fields.ts';
import type { Caller } from './inspection.ts';

/** The callers of a symbol. */
export interface Callers {
  readonly listed: readonly Caller[];
  readonly total: number;
}

/**
 * Finds the direct callers of a symbol, listing at most `most`; `undefined` if it cannot be called, or if "no
 * callers" would not be certain. `uses` is the search for the uses of the symbol, if it has begun already.
 */
export async function symbolCallers(
  context: ToolContext,
  { place, name, also = [] }: Located,
  { most, uses }: { readonly most: number; readonly uses: Promise<FoundUses> | undefined },
  call: Call,
): Promise<Reply<Callers | undefined>> {
  const ask = (places: readonly Place[], begun?: Promise<FoundUses>) =>
    Promise.all([
      Promise.all(
        places.map((one) =>
          context.backend.ask({ kind: 'calls', place: one, direction: 'incoming', depth: 1 }, call),
        ),
      ),
      unreportedCalls(context, { places, name, depth: 1, uses: begun }, call),
    ]);
  const here = await ask([place, ...also], uses);
  const hasNoRoots = here[0].every((reply) => reply.answer.length === 0);
  const elsewhere = hasNoRoots ? await definedElsewhere(context, place, call) : [];
  const [replies, findMissed] = elsewhere.length > 0 ? await ask(elsewhere) : here;
  const found = replies.flatMap((reply) => reply.answer);
  const compared = await findMissed(found);
  const answer = compared?.roots ?? found;
  const isSettled = compared?.doubts.length === 0;
  const doubts = [
    ...replies.flatMap((reply) => reply.doubts.filter((one) => !(one.aboutMentions && isSettled))),
    ...cutDoubts(answer),
    ...(compared?.doubts ?? []),
  ];
  const nodes = orderCallers(answer.flatMap(({ children }) => children));
  if (answer.length === 0 || (nodes.length === 0 && doubts.length > 0)) return { answer: undefined, doubts };
  const listed = await toCallers(context, nodes.slice(0, most));
  return { answer: { listed, total: nodes.length }, doubts };
}

/** Orders callers by place and removes duplicates. */
function orderCallers(callers: readonly HierarchyNode[]): readonly HierarchyNode[] {
  const byPlace = new Map(callers.map((node) => [spanKey(node.span), node]));
  const spans = orderSpans([...byPlace.values()].map(({ span }) => span));
  return spans.flatMap((span) => byPlace.get(spanKey(span)) ?? []);
}

/** Converts callers for an answer, with the first of their calls; all lines are read at once. */
async function toCallers(context: ToolContext, nodes: readonly HierarchyNode[]): Promise<Caller[]> {
  const calls = nodes.map(({ sites }) => orderSpans(sites).slice(0, limits.inspect.sites));
  const places = await toSearchedLocations(context, [...nodes.map(({ span }) => span), ...calls.flat()]);
  const sitesLeft = places.splice(nodes.length);
  return nodes.flatMap(({ name, kind, sites }, index) => {
    const where = places[index];
    const own = sitesLeft.splice(0, calls[index]?.length ?? 0);
    const left = sites.length - own.length;
    const more = left > 0 ? { more_sites: left } : {};
    const shown = own.length > 0 ? { sites: own } : {};
    return where ? [{ ...where, name, kind, ...shown, ...more }] : [];
  });
}
