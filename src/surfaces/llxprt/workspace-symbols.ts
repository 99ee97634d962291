import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { mapInSlices } from '../../core/runtime/slices.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { paged } from '../../tools/run/paging.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import { clampedMark } from '../../tools/show/render-location.ts';
import { rankSymbols } from '../../tools/symbols/rank-symbols.ts';
import { unverifiedError } from '../../tools/target/no-answer.ts';
import { place, toPlace } from './place.ts';
import { textTool } from './text-tool.ts';

const found = place.extend({
  name: z.string(),
  kind: z.enum(symbolKinds),
  container: z.string().optional(),
});

type Found = z.output<typeof found>;

/** Searches the symbols of the whole workspace by name. */
export const workspaceSymbols = textTool({
  name: 'lsp_workspace_symbols',
  title: 'Workspace symbols',
  toolset: 'symbols',
  description: 'Search for symbols across the entire workspace',
  input: z.strictObject({
    query: z
      .string()
      .max(limits.input.query)
      .describe('Symbol name or pattern to search for')
      // Any part of a name is found, so what `*` stands for is too.
      .transform((given) => given.replace(/^[\s*]+|[\s*]+$/g, '')),
    ...paging,
  }),
  output: z.object({ symbols: z.array(found) }),
  async answer(context, { query }, call) {
    const { answer, doubts } = await context.backend.ask({ kind: 'symbols', query }, call);
    if (answer.length === 0 && doubts.length > 0) throw unverifiedError('No symbol was found', doubts);
    const symbols = await mapInSlices(
      await rankSymbols(query, answer),
      ({ name, kind, container, span }): Found => ({
        name,
        kind,
        ...(container ? { container } : {}),
        ...toPlace(context, span),
      }),
    );
    const pages = paged(symbols, JSON.stringify, async (some) => ({ symbols: [...some] }));
    return { pages, total: symbols.length, doubts };
  },
  render: ({ symbols }, total) => (total === 0 ? 'No symbols found' : symbols.map(renderSymbol).join('\n')),
  count: ({ symbols }) => symbols.length,
  cut: ({ symbols }, keep) => ({ symbols: symbols.slice(0, keep) }),
});

/** Renders `kind name (path:line)`. */
function renderSymbol({ kind, name, file, line, clamped }: Found): string {
  return `${kind} ${name} (${file}:${line})${clamped ? ` ${clampedMark}` : ''}`;
}
