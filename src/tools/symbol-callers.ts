import type { Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import type { Place, Span } from '../core/questions.ts';
import type { Caller } from './inspection.ts';
import { orderSpans, spanKey, toSearchedLocations } from './location.ts';
import type { World } from './tool.ts';

/** Who calls a symbol; nothing where it is nothing that can be called. */
export interface Callers {
  readonly listed: readonly Caller[];
  readonly total: number;
}

/** Finds the direct callers of a symbol, as many as an answer may list. */
export async function symbolCallers(
  world: World,
  place: Place,
  most: number,
  call: Call,
): Promise<Reply<Callers | undefined>> {
  const question = { kind: 'calls', place, direction: 'incoming', depth: 1 } as const;
  const { answer, doubts } = await world.backend.ask(question, call);
  if (answer.length === 0) return { answer: undefined, doubts };
  const calling = answer.flatMap(({ children }) => children);
  const byPlace = new Map(calling.map((node) => [spanKey(node.span), node]));
  const nodes = orderSpans([...byPlace.values()].map(({ span }) => span)).flatMap(
    (span) => byPlace.get(spanKey(span)) ?? [],
  );
  const shown = nodes.slice(0, most);
  const sites = shown.map((node) => orderSpans(node.sites));
  const names = await toSearchedLocations(
    world,
    shown.map(({ span }) => span),
  );
  const firsts = await Promise.all(sites.map((own) => toSearchedLocations(world, first(own))));
  const listed = shown.flatMap(({ name, kind }, index): Caller[] => {
    const where = names[index];
    const [site] = firsts[index] ?? [];
    const count = sites[index]?.length ?? 0;
    return where ? [{ ...where, name, kind, count, ...(site ? { site } : {}) }] : [];
  });
  return { answer: { listed, total: nodes.length }, doubts };
}

function first(spans: readonly Span[]): readonly Span[] {
  return spans.slice(0, 1);
}
