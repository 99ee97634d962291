import { z } from 'zod';
import { paged } from '../../tools/run/paging.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import { noAnswerError } from '../../tools/target/no-answer.ts';
import { locateAt, place, placeFields, renderPlace, toPlaces } from './place.ts';
import { textTool } from './text-tool.ts';

/** Finds where the symbol at a position is defined. */
export const gotoDefinition = textTool({
  name: 'lsp_goto_definition',
  title: 'Go to definition',
  toolset: 'navigation',
  description: 'Navigate to the definition of a symbol at a given position',
  input: z.strictObject({ ...placeFields, ...paging }),
  output: z.object({ definitions: z.array(place) }),
  instead: 'lsp_hover shows the type; lsp_workspace_symbols finds definitions by name.',
  async answer(context, input, call) {
    const { place, name, adjusted, doubts } = await locateAt(context, input, call);
    const reply = await context.backend.ask({ kind: 'definition', place }, call);
    const places = await toPlaces(context, reply.answer);
    if (places.length === 0 && reply.doubts.length > 0)
      throw noAnswerError('definition', { name, adjusted }, reply.doubts);
    const pages = paged(places, renderPlace, async (some) => ({ definitions: [...some] }));
    return { pages, total: places.length, adjusted, doubts: [...doubts, ...reply.doubts] };
  },
  render: ({ definitions }, total) =>
    total === 0 ? 'No definition found' : definitions.map(renderPlace).join('\n'),
  count: ({ definitions }) => definitions.length,
  cut: ({ definitions }, keep) => ({ definitions: definitions.slice(0, keep) }),
});
