import { z } from 'zod';
import { mentions, noMentions, renderMentions } from '../mentions/mentions.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import { location, spanKey, toLocations } from '../show/location.ts';
import { renderCount, renderLocations } from '../show/render-location.ts';
import { locate } from '../target/locate.ts';
import { target } from '../target/target-fields.ts';
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
    ...paging,
  }),
  output: z.object({ references: z.array(location) }).extend(mentions.shape),
  effects: 'none',
  async answer(context, input, call) {
    const located = await locate(context, input, call);
    const reply = await findUses(context, located, call);
    const wanted = { declarations: input.include_declaration, allMentions: input.include_mentions === true };
    const { spans, mentioned, doubts } = await listUses(context, located, reply, wanted, call);
    const shown = input.include_mentions === false ? noMentions : mentioned;
    const pages = paged(spans, spanKey, async (some, inner, from) => ({
      references: await toLocations(context, some, inner),
      ...(from === 0 ? shown : noMentions),
    }));
    return { pages, total: spans.length, adjusted: located.adjusted, doubts };
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
