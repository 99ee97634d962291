import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { HierarchyNode, Place } from '../../core/questions.ts';
import { cutDoubts, definedElsewhere, unsearchedUseDoubts } from '../navigation/build-hierarchy.ts';
import { unreportedCalls } from '../navigation/unreported-calls.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderSpans, spanKey, toSearchedLocations } from '../show/location.ts';
import type { Located } from '../target/target-fields.ts';
import type { Caller } from './inspection.ts';

/** Who calls a symbol; nothing where it is nothing that can be called. */
export interface Callers {
  readonly listed: readonly Caller[];
  readonly total: number;
}

/**
 * Finds the direct callers of a symbol, as many as an answer may list; nothing also where nobody can be relied on to
 * know them. `alone` also looks for what nobody searched, which finding all uses does anyway.
 */
export async function symbolCallers(
  context: ToolContext,
  { place, name, also = [] }: Located,
  { most, alone }: { readonly most: number; readonly alone: boolean },
  call: Call,
): Promise<Reply<Callers | undefined>> {
  const ask = (places: readonly Place[]) =>
    Promise.all([
      Promise.all(
        places.map((one) =>
          context.backend.ask({ kind: 'calls', place: one, direction: 'incoming', depth: 1 }, call),
        ),
      ),
      unreportedCalls(context, places, call),
    ]);
  const here = await ask([place, ...also]);
  const isNothing = here[0].every((reply) => reply.answer.length === 0);
  const elsewhere = isNothing ? await definedElsewhere(context, place, call) : [];
  const [replies, missed] = elsewhere.length > 0 ? await ask(elsewhere) : here;
  const answer = replies.flatMap((reply) => reply.answer);
  const references = answer.flatMap(({ span, children }) => [
    span,
    ...children.flatMap(({ sites }) => sites),
  ]);
  const unseen =
    alone && name !== undefined ? await unsearchedUseDoubts(context, { place, name, references }, call) : [];
  const doubts = [
    ...replies.flatMap((reply) => reply.doubts),
    ...cutDoubts(answer),
    ...unseen,
    ...(await missed(answer)),
  ];
  const nodes = inOrder(answer.flatMap(({ children }) => children));
  if (answer.length === 0 || (nodes.length === 0 && doubts.length > 0)) return { answer: undefined, doubts };
  const listed = await showCallers(context, nodes.slice(0, most));
  return { answer: { listed, total: nodes.length }, doubts };
}

/** Callers by where they stand, none twice. */
function inOrder(calling: readonly HierarchyNode[]): readonly HierarchyNode[] {
  const byPlace = new Map(calling.map((node) => [spanKey(node.span), node]));
  const spans = orderSpans([...byPlace.values()].map(({ span }) => span));
  return spans.flatMap((span) => byPlace.get(spanKey(span)) ?? []);
}

/** Callers with the first of their calls; all of their lines are read in one go. */
async function showCallers(context: ToolContext, nodes: readonly HierarchyNode[]): Promise<Caller[]> {
  const calls = nodes.map(({ sites }) => orderSpans(sites).slice(0, limits.inspect.sites));
  const places = await toSearchedLocations(context, [...nodes.map(({ span }) => span), ...calls.flat()]);
  const sitesLeft = places.splice(nodes.length);
  return nodes.flatMap(({ name, kind, sites }, index) => {
    const where = places[index];
    const told = sitesLeft.splice(0, calls[index]?.length ?? 0);
    const left = sites.length - told.length;
    const more = left > 0 ? { more_sites: left } : {};
    const shown = told.length > 0 ? { sites: told } : {};
    return where ? [{ ...where, name, kind, ...shown, ...more }] : [];
  });
}
