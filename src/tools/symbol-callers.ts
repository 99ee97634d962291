import type { Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import { limits } from '../core/limits.ts';
import type { Place } from '../core/questions.ts';
import { cutDoubts, definedElsewhere, unseenUses } from './grow-trees.ts';
import type { Caller } from './inspection.ts';
import type { Located } from './locate.ts';
import { orderSpans, spanKey, toSearchedLocations } from './location.ts';
import { missedCalls } from './missed-calls.ts';
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
  const ask = (places: readonly Place[]) =>
    Promise.all([
      Promise.all(
        places.map((one) =>
          world.backend.ask({ kind: 'calls', place: one, direction: 'incoming', depth: 1 }, call),
        ),
      ),
      missedCalls(world, places, call),
    ]);
  const here = await ask([place, ...also]);
  const isNothing = here[0].every((reply) => reply.answer.length === 0);
  const elsewhere = isNothing ? await definedElsewhere(world, place, call) : [];
  const [replies, missed] = elsewhere.length > 0 ? await ask(elsewhere) : here;
  const answer = replies.flatMap((reply) => reply.answer);
  const references = answer.flatMap(({ span, children }) => [
    span,
    ...children.flatMap(({ sites }) => sites),
  ]);
  const unseen =
    alone && name !== undefined ? await unseenUses(world, { place, name, references }, call) : [];
  const doubts = [
    ...replies.flatMap((reply) => reply.doubts),
    ...cutDoubts(answer),
    ...unseen,
    ...(await missed(answer)),
  ];
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
