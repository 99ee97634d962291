import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { Place, Span } from '../../core/question.ts';
import { joined } from '../../core/runtime/slices.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { location, orderManySpans, spanKey, toLocations } from '../show/location.ts';
import { renderCount, renderLocations } from '../show/render-location.ts';
import { findElsewhere, scope } from '../show/repositories.ts';
import { locate } from '../target/locate.ts';
import { noAnswerError } from '../target/no-answer.ts';
import { target } from '../target/target-fields.ts';
import { indirectHeirDoubts } from './indirect-heirs.ts';
import { unexplainedUseDoubts } from './unexplained-uses.ts';

/** Finds what implements an interface, or overrides a method. */
export const findImplementations = defineTool({
  name: 'find_implementations',
  title: 'Find implementations',
  toolset: 'navigation',
  listed: true,
  description: 'Implementations of an interface, subclasses, overrides of a method.',
  input: z.strictObject({ ...target, scope, ...paging }),
  output: z.object({ implementations: z.array(location) }),
  effects: 'none',
  instead: 'find_references lists every use, including subclasses and implementations.',
  async answer(context, input, call) {
    const { place, name, adjusted, doubts, also = [] } = await locate(context, input, call);
    const replies = await Promise.all(
      [place, ...also].map((at) => context.backend.ask({ kind: 'implementations', place: at }, call)),
    );
    const places = [place, ...also];
    const elsewhere = await findElsewhere(context, 'implementations', { places, asked: input.scope }, call);
    const found = await orderManySpans(joined([...replies, elsewhere].map(({ answer }) => answer)));
    const unseen =
      name === undefined ? [] : await unexplainedUseDoubts(context, { place, name, references: found }, call);
    const indirect = await indirectHeirDoubts(context, { place, listed: found }, call);
    const spans = await withoutItself(context, places, found, call);
    const ofAll = [...replies, elsewhere].flatMap((reply) => reply.doubts);
    const allDoubts = [...doubts, ...ofAll, ...unseen, ...indirect];
    if (spans.length === 0) {
      // "No implementations" is an answer for a symbol, but not if there is no symbol here.
      const defined = await context.backend.ask({ kind: 'definition', place }, call);
      if (defined.answer.length === 0 || allDoubts.length > 0)
        throw noAnswerError(
          'implementation',
          { name, adjusted },
          await withConditions(context, place, [...allDoubts, ...defined.doubts]),
        );
    }
    const capped = spans.slice(0, limits.results.total);
    const pages = paged(capped, spanKey, async (some, inner) => ({
      implementations: await toLocations(context, some, inner),
    }));
    const cut = spans.length > capped.length ? [tooMany(spans.length)] : [];
    return { pages, total: spans.length, adjusted, doubts: [...allDoubts, ...cut] };
  },
  render: ({ implementations }, total) =>
    total === 0
      ? 'No implementations.'
      : [renderCount('implementation', total, implementations), renderLocations(implementations)].join('\n'),
  count: ({ implementations }) => implementations.length,
  cut: ({ implementations }, keep) => ({ implementations: implementations.slice(0, keep) }),
});

/** Leaves out the symbol itself: some servers count a class as an implementation of itself, and a method with a body too. */
async function withoutItself(
  { backend }: ToolContext,
  places: readonly Place[],
  found: readonly Span[],
  call: Call,
): Promise<readonly Span[]> {
  const isAt = ({ path, range }: Span) =>
    places.some((place) => place.path === path && contains(range, place.position));
  const others = found.filter((span) => !isAt(span));
  // A stub declares what is defined elsewhere.
  if (others.length === 0 || others.length < found.length || places.some(({ path }) => isStub.test(path)))
    return others;
  const replies = await Promise.all(places.map((place) => backend.ask({ kind: 'definition', place }, call)));
  const own = new Set(replies.flatMap(({ answer }) => answer).map(spanKey));
  return others.filter((span) => !own.has(spanKey(span)));
}

const isStub = /\.(?:pyi|d\.[cm]?ts)$/;

function tooMany(total: number): Doubt {
  return { kind: 'capped', detail: `Not all ${total} implementations are listed.` };
}
