import { z } from 'zod';
import { findAnyUses } from '../../tools/navigation/find-uses.ts';
import { listUses } from '../../tools/navigation/list-uses.ts';
import { paged } from '../../tools/run/paged.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import { nothingHere } from '../../tools/target/nothing-here.ts';
import { locateAt, place, placeFields, renderPlace, toPlaces } from './place.ts';
import { textTool } from './text-tool.ts';

/** Every use of the symbol at a position, its declaration among them. */
export const findReferences = textTool({
  name: 'lsp_find_references',
  title: 'Find references',
  toolset: 'navigation',
  description: 'Find all references to a symbol at a given position',
  input: z.strictObject({ ...placeFields, ...paging }),
  output: z.object({ references: z.array(place) }),
  async answer(world, input, call) {
    const located = await locateAt(world, input, call);
    const reply = await findAnyUses(world, located, call);
    if (reply.answer.length === 0 && reply.doubts.length > 0)
      throw nothingHere('reference', located, reply.doubts);
    const { spans, doubts } = await listUses(world, located, reply, { declarations: true }, call);
    const places = await toPlaces(world, spans);
    const pages = paged(places, renderPlace, async (some) => ({ references: [...some] }));
    return { pages, total: places.length, adjusted: located.adjusted, doubts };
  },
  render: ({ references }, total) =>
    total === 0 ? 'No references found' : references.map(renderPlace).join('\n'),
  count: ({ references }) => references.length,
  cut: ({ references }, keep) => ({ references: references.slice(0, keep) }),
});
