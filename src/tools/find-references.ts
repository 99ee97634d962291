import { z } from 'zod';
import type { Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { contains } from '../core/positions.ts';
import type { Place, Span } from '../core/questions.ts';
import { type Located, locate } from './locate.ts';
import { location, orderSpans, spanKey, toLocations } from './location.ts';
import { findMentions, mentions, noMentions, renderMentions, unseenDoubts } from './mentions.ts';
import { nothingHere } from './nothing-here.ts';
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
    const { place, name, adjusted, doubts, also = [] } = located;
    const asked = referencesOf(world, [place, ...also], call);
    // Both take their time at the first call, so they go side by side.
    const indexed = name === undefined ? undefined : world.workspace.mentioning(name, call);
    const [reply] = await Promise.all([asked, indexed]);
    if (reply.answer.length === 0) throw await explainNothing(world, located, reply.doubts, call);
    const declared = input.include_declaration ? [] : await definitionsOf(world, place, call);
    const spans = orderSpans(reply.answer).filter((span) => !declared.some((one) => same(one, span)));
    const cut = reply.answer.some((span) => covers(span, place)) ? [] : [leftOut];
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
      doubts: [...doubts, ...reply.doubts, ...cut, ...unseenDoubts(mentioned)],
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

/** Of a type and a value that share a name, a server tells the uses of either. */
async function referencesOf(
  { backend }: World,
  places: readonly Place[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const asked = await Promise.all(places.map((place) => backend.ask({ kind: 'references', place }, call)));
  return { answer: asked.flatMap(({ answer }) => answer), doubts: asked.flatMap(({ doubts }) => doubts) };
}

/** The declaration was asked for too, so nothing at all for a symbol that resolves is a contradiction. */
async function explainNothing(
  world: World,
  located: Located,
  doubts: readonly Doubt[],
  call: Call,
): Promise<LspanError> {
  const definitions = await definitionsOf(world, located.place, call);
  if (definitions.length === 0) return nothingHere('reference', located, doubts);
  const contradiction =
    'The server finds the definition of this symbol but not one reference, not even the declaration itself.';
  return new LspanError(
    'server_unverified',
    [contradiction, ...new Set(doubts.map(({ detail }) => detail))].join(' '),
    { nextStep: 'Call again; if it stays so, search the text: this server cannot be relied on here.' },
  );
}

async function definitionsOf(world: World, place: Place, call: Call): Promise<readonly Span[]> {
  const { answer } = await world.backend.ask({ kind: 'definition', place }, call);
  return answer;
}

/** Whether a reference is the name in a declaration; a declaration may be given whole, uses inside it included. */
function same(declared: Span, { path, range }: Span): boolean {
  const onItsLine = declared.range.start.line === range.start.line;
  return declared.path === path && onItsLine && contains(declared.range, range.start);
}

function covers({ path, range }: Span, place: Place): boolean {
  return path === place.path && contains(range, place.position);
}

/** A server that does not even list the place that was asked about does not see all uses of the symbol. */
const leftOut: Doubt = {
  kind: 'server_unavailable',
  detail: 'The server left out the very place that was asked about, so it may have missed other uses too.',
};
