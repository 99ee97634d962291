import { z } from 'zod';
import { locate } from './locate.ts';
import { location, spanKey, toLocations, uniqueSpans } from './location.ts';
import { nothingHere } from './nothing-here.ts';
import { paged } from './paged.ts';
import { renderLocations } from './render-locations.ts';
import { paging, target } from './target.ts';
import { defineTool } from './tool.ts';

/** Where a symbol is defined. */
export const findDefinition = defineTool({
  name: 'find_definition',
  title: 'Find definition',
  toolset: 'navigation',
  listed: true,
  description: 'Where a symbol is defined, with the line of code. By name, or by file, line and character.',
  input: z.strictObject({ ...target, ...paging }),
  output: z.object({ definitions: z.array(location) }),
  effects: 'none',
  async answer(world, input, call) {
    const { place, name, adjusted, doubts } = await locate(world, input, call);
    const reply = await world.backend.ask({ kind: 'definition', place }, call);
    const spans = uniqueSpans(reply.answer);
    if (spans.length === 0) throw nothingHere('definition', { name, adjusted }, reply.doubts);
    const pages = paged(spans, spanKey, async (some, inner) => ({
      definitions: await toLocations(world, some, inner),
    }));
    return { pages, total: spans.length, adjusted, doubts: [...doubts, ...reply.doubts] };
  },
  render: ({ definitions }) => renderLocations(definitions),
  count: ({ definitions }) => definitions.length,
  cut: ({ definitions }, keep) => ({ definitions: definitions.slice(0, keep) }),
});
