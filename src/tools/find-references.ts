import { z } from 'zod';
import type { Call } from '../core/call.ts';
import { contains } from '../core/positions.ts';
import type { Place, Span } from '../core/questions.ts';
import { filterInSlices, groupInSlices } from '../core/slices.ts';
import { findUses } from './find-uses.ts';
import { locate } from './locate.ts';
import { location, orderManySpans, spanKey, toLocations } from './location.ts';
import { findMentions, mentions, noMentions, renderMentions, unseenDoubts } from './mentions.ts';
import { paged } from './paged.ts';
import { countOf, renderLocations } from './render-locations.ts';
import { paging, target } from './target.ts';
import { defineTool, type World } from './tool.ts';

/** Every use of a symbol. */
export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find references',
  toolset: 'navigation',
  listed: true,
  description: 'Every use of a symbol in the workspace, with the line of code and what encloses it.',
  input: z.strictObject({
    ...target,
    include_declaration: z.boolean().default(true),
    include_mentions: z.boolean().optional().describe('Of its name in comments, strings'),
    ...paging,
  }),
  output: z.object({ references: z.array(location) }).extend(mentions.shape),
  effects: 'none',
  async answer(world, input, call) {
    const located = await locate(world, input, call);
    const { place, name, adjusted, doubts } = located;
    const reply = await findUses(world, located, call);
    const declared = input.include_declaration ? [] : await definitionsOf(world, place, call);
    const ordered = await orderManySpans(reply.answer);
    const spans = await withoutDeclarations(ordered, declared);
    const all = input.include_mentions === true;
    const search = { place, references: reply.answer, all };
    // Looked for in any case: what nobody searched is a doubt.
    const mentioned = name === undefined ? noMentions : await findMentions(world, { ...search, name }, call);
    const told = input.include_mentions === false ? noMentions : mentioned;
    const pages = paged(spans, spanKey, async (some, inner, from) => ({
      references: await toLocations(world, some, inner),
      ...(from === 0 ? told : noMentions),
    }));
    return {
      pages,
      total: spans.length,
      adjusted,
      doubts: [...doubts, ...reply.doubts, ...unseenDoubts(mentioned)],
    };
  },
  render: ({ references, ...mentioned }, total) =>
    [countOf('reference', total, references), renderLocations(references), ...renderMentions(mentioned)].join(
      '\n',
    ),
  count: ({ references }) => references.length,
  cut: ({ references, ...mentioned }, keep) => ({
    ...mentioned,
    references: references.slice(0, keep),
    mentions: [],
  }),
});

async function definitionsOf(world: World, place: Place, call: Call): Promise<readonly Span[]> {
  const { answer } = await world.backend.ask({ kind: 'definition', place }, call);
  return answer;
}

/** References that are not the name in a declaration; a declaration may be given whole, uses inside it included. */
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
