import { z } from 'zod';
import { inOrder } from '../../core/runtime/slices.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { paged } from '../../tools/run/paging.ts';
import { rankSymbols } from '../../tools/symbols/rank-symbols.ts';
import { partOfName } from '../../tools/target/target-fields.ts';
import { allowed, compareLocations, toLocation } from './canonical.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { cursor, filtered, location, pageOf, symbolKind } from './shapes.ts';

const found = z.strictObject({
  name: z.string(),
  kind: symbolKind,
  containerName: z.string().optional(),
  location,
});

type Found = z.output<typeof found>;

/** Searches the symbols of the whole workspace by name. */
export const workspaceSymbols = contractTool({
  name: 'vscode.lsp.workspaceSymbols',
  title: 'Workspace symbols',
  toolset: 'symbols',
  description: 'The symbols of the workspace whose name matches a query, in all languages, in pages.',
  input: z.strictObject({ query: partOfName, cursor }),
  output: z.strictObject({ items: pageOf(found), filtered }),
  noun: 'symbol',
  list: 'items',
  async answer(context, { query }, call) {
    const reply = await context.backend.ask({ kind: 'symbols', query }, call);
    const doubts = checkDoubts(reply.doubts);
    const shown = await allowed(
      context,
      await rankSymbols(query, reply.answer),
      ({ span }) => span,
      ({ name, kind, container, span }, uri): Found => ({
        name,
        kind,
        ...(container ? { containerName: container } : {}),
        location: toLocation(span, uri),
      }),
    );
    const items = await inOrder(shown.items, compareFound);
    const { filtered } = shown;
    const pages = paged(items, JSON.stringify, async (some) => ({ items: [...some], filtered }));
    return { pages, total: items.length, doubts };
  },
});

function compareFound(a: Found, b: Found): number {
  return (
    compareLocations(a.location, b.location) ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.kind, b.kind) ||
    compareTexts(a.containerName, b.containerName)
  );
}
