import { z } from 'zod';
import { allowedLocations } from './canonical.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { openPlace } from './open-place.ts';
import { filtered, location, placeFields } from './shapes.ts';

/** Finds where the symbol at a position is defined. */
export const definition = contractTool({
  name: 'vscode.lsp.definition',
  title: 'Definition',
  toolset: 'navigation',
  description: 'Definition of the symbol at a position.',
  input: z.strictObject(placeFields),
  output: z.strictObject({ locations: z.array(location), filtered }),
  noun: 'location',
  list: 'locations',
  instead: 'Search the text instead.',
  async answer(context, input, call) {
    const { place } = await openPlace(context, input);
    const reply = await context.backend.ask({ kind: 'definition', place }, call);
    const doubts = checkDoubts(reply.doubts);
    const { items, filtered } = await allowedLocations(context, reply.answer);
    return { data: { locations: [...items], filtered }, doubts };
  },
});
