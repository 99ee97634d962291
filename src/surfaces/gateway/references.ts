import { z } from 'zod';
import { findAnyUses } from '../../tools/navigation/find-uses.ts';
import { listUses } from '../../tools/navigation/list-uses.ts';
import { paged } from '../../tools/run/paging.ts';
import { allowedLocations } from './canonical.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { openPlace } from './open-place.ts';
import { cursor, filtered, location, pageOf, placeFields } from './shapes.ts';

/** Finds every use of the symbol at a position. */
export const references = contractTool({
  name: 'vscode.lsp.references',
  title: 'References',
  toolset: 'navigation',
  description: 'Every use of the symbol at a position, in all projects of the workspace, in pages.',
  input: z.strictObject({ ...placeFields, includeDeclaration: z.boolean().default(false), cursor }),
  output: z.strictObject({ items: pageOf(location), filtered }),
  noun: 'reference',
  list: 'items',
  async answer(context, { includeDeclaration, ...asked }, call) {
    const located = await openPlace(context, asked);
    const reply = await findAnyUses(context, located, call);
    checkDoubts(reply.doubts);
    const uses = await listUses(context, located, reply, { declarations: includeDeclaration }, call);
    const doubts = checkDoubts(uses.doubts);
    const { items, filtered } = await allowedLocations(context, uses.spans);
    const pages = paged(items, JSON.stringify, async (some) => ({ items: [...some], filtered }));
    return { pages, total: items.length, doubts };
  },
});
