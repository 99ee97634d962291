import type { Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import { cutDoubts, unseenUses } from './grow-trees.ts';
import type { Caller } from './inspection.ts';
import type { Located } from './locate.ts';
import { orderSpans, spanKey, toSearchedLocations } from './location.ts';
import type { World } from './tool.ts';

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
  world: World,
  { place, name, also = [] }: Located,
  { most, alone }: { readonly most: number; readonly alone: boolean },
  call: Call,
): Promise<Reply<Callers | undefined>> {
  const replies = await Promise.all(
    [place, ...also].map((one) =>
      world.backend.ask({ kind: 'calls', place: one, direction: 'incoming', depth: 1 }, call),
    ),
  );
  const answer = replies.flatMap((reply) => reply.answer);
  const references = answer.flatMap(({ span, children }) => [
    span,
    ...children.flatMap(({ sites }) => sites),
  ]);
  const unseen =
    alone && name !== undefined ? await unseenUses(world, { place, name, references }, call) : [];
  const doubts = [...replies.flatMap((reply) => reply.doubts), ...cutDoubts(answer), ...unseen];
  const calling = answer.flatMap(({ children }) => children);
  const byPlace = new Map(calling.map((node) => [spanKey(node.span), node]));
  const nodes = orderSpans([...byPlace.values()].map(({ span }) => span)).flatMap(
    (span) => byPlace.get(spanKey(span)) ?? [],
  );
  if (answer.length === 0 || (nodes.length === 0 && doubts.length > 0)) return { answer: undefined, doubts };
  const shown = nodes.slice(0, most);
  const names = await toSearchedLocations(
    world,
    shown.map(({ span }) => span),
  );
  const listed = await Promise.all(
    shown.map(async ({ name, kind, sites }, index): Promise<Caller[]> => {
      const where = names[index];
      const told = await toSearchedLocations(world, orderSpans(sites).slice(0, limits.inspect.sites));
      const left = sites.length - told.length;
      if (where === undefined) return [];
      const calls = told.length > 0 ? { sites: told } : {};
      return [{ ...where, name, kind, ...calls, ...(left > 0 ? { more_sites: left } : {}) }];
    }),
  );
  return { answer: { listed: listed.flat(), total: nodes.length }, doubts };
}
