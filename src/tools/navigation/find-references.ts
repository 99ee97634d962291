import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { mentions, noMentions, renderMentions } from '../mentions/mentions.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { location, orderManySpans, spanKey, toLocations } from '../show/location.ts';
import { renderCount, renderLocations } from '../show/render-location.ts';
import { findElsewhere, orElsewhere, type SearchScope, scope } from '../show/repositories.ts';
import { locate } from '../target/locate.ts';
import { type Located, target } from '../target/target-fields.ts';
import { findUses } from './find-uses.ts';
import { listUses } from './list-uses.ts';

/** Finds every use of a symbol. */
export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find references',
  toolset: 'navigation',
  listed: true,
  description: 'Every use of a symbol in the workspace, with the line of code and what encloses it.',
  input: z.strictObject({
    ...target,
    include_declaration: z.boolean().default(true),
    include_mentions: z.boolean().optional().describe('Also its name in comments, strings'),
    scope,
    ...paging,
  }),
  output: z.object({ references: z.array(location) }).extend(mentions.shape),
  effects: 'none',
  async answer(context, input, call) {
    const asked = { name: input.symbol_name, asked: input.scope };
    const found = await orElsewhere(context, 'references', asked, call, locate(context, input, call));
    const { spans, mentioned, doubts, adjusted } =
      'reply' in found
        ? {
            spans: found.reply.answer,
            doubts: found.reply.doubts,
            mentioned: noMentions,
            adjusted: undefined,
          }
        : await usesOf(context, found.located, input, call);
    const shown = input.include_mentions === false ? noMentions : mentioned;
    const pages = paged(spans, spanKey, async (some, inner, from) => ({
      references: await toLocations(context, some, inner),
      ...(from === 0 ? shown : noMentions),
    }));
    return { pages, total: spans.length, adjusted, doubts };
  },
  render: ({ references, ...mentioned }, total) =>
    [`${renderCount('reference', total, references)}\n${renderLocations(references)}`]
      .concat(renderMentions(mentioned))
      .join('\n'),
  count: ({ references }) => references.length,
  cut: ({ references, ...mentioned }, keep) => ({
    ...mentioned,
    references: references.slice(0, keep),
    mentions: [],
  }),
});

interface UsesInput {
  readonly include_declaration: boolean;
  readonly include_mentions?: boolean | undefined;
  readonly scope: SearchScope;
}

/** Returns the uses in the workspace, and those in other repositories if the scope has them. */
async function usesOf(context: ToolContext, located: Located, input: UsesInput, call: Call) {
  const places = [located.place, ...(located.also ?? [])];
  const elsewhere = findElsewhere(context, 'references', { places, asked: input.scope }, call);
  const [reply, others] = await Promise.all([findUses(context, located, call), elsewhere]);
  const wanted = { declarations: input.include_declaration, allMentions: input.include_mentions === true };
  const { spans, mentioned, doubts } = await listUses(context, located, reply, wanted, call);
  return {
    spans: others.answer.length === 0 ? spans : [...spans, ...(await orderManySpans(others.answer))],
    doubts: [...doubts, ...others.doubts],
    adjusted: located.adjusted,
    mentioned,
  };
}
