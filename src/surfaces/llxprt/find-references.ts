import { z } from 'zod';
import { findAnyUses } from '../../tools/navigation/find-uses.ts';
import { listUses } from '../../tools/navigation/list-uses.ts';
import { paged } from '../../tools/run/paging.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import { noAnswerError } from '../../tools/target/no-answer.ts';
import { locateAt, place, placeFields, renderPlace, toPlaces } from './place.ts';
import { textTool } from './text-tool.ts';

/** Finds every use of the symbol at a position, its declaration included. */
export const findReferences = textTool({
  name: 'lsp_find_references',
  title: 'Find references',
  toolset: 'navigation',
  description: 'Find all references to a symbol at a given position',
  input: z.strictObject({ ...placeFields, ...paging }),
  output: z.object({ references: z.array(place) }),
  async answer(context, input, call) {
    const located = await locateAt(context, input, call);
    const reply = await findAnyUses(context, located, call);
    if (reply.answer.length === 0 && reply.doubts.length > 0)
      throw noAnswerError('reference', located, reply.doubts);
    const { spans, doubts } = await listUses(context, located, reply, { declarations: true }, call);
    const places = await toPlaces(context, spans);
    const pages = paged(places, renderPlace, async (some) => ({ references: [...some] }));
    return { pages, total: places.length, adjusted: located.adjusted, doubts };
  },
  render: ({ references }, total) =>
    total === 0 ? 'No references found' : references.map(renderPlace).join('\n'),
  count: ({ references }) => references.length,
  cut: ({ references }, keep) => ({ references: references.slice(0, keep) }),
});
