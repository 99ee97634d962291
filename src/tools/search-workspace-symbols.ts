import { z } from 'zod';
import { symbolKinds } from '../core/symbol-kinds.ts';
import { location, toLocations } from './location.ts';
import { orderSymbols } from './order-symbols.ts';
import { clampedMark } from './render-locations.ts';
import { maxTokens, symbolKind } from './target.ts';
import { defineTool } from './tool.ts';

const found = location.extend({
  name: z.string(),
  kind: z.enum(symbolKinds),
  container: z.string().optional(),
});

/** A search for symbols by name over the whole workspace. */
export const searchWorkspaceSymbols = defineTool({
  name: 'search_workspace_symbols',
  title: 'Search symbols',
  toolset: 'symbols',
  listed: true,
  description: 'Search the symbols of the whole workspace by name or part of it, in all its languages.',
  input: z.strictObject({
    query: z.string().min(1).max(1_000),
    symbol_kind: symbolKind.optional(),
    max_tokens: maxTokens,
  }),
  output: z.object({ symbols: z.array(found) }),
  effects: 'none',
  async answer(world, { query, symbol_kind }, call) {
    const { answer, doubts } = await world.backend.ask({ kind: 'symbols', query }, call);
    const matching = answer.filter(({ kind }) => symbol_kind === undefined || kind === symbol_kind);
    const ordered = await orderSymbols(query, matching);
    const page = ordered.slice(0, world.page);
    const locations = await toLocations(
      world,
      page.map(({ span }) => span),
      call,
    );
    const symbols = page.flatMap(({ name, kind, container }, index) => {
      const where = locations[index];
      return where ? [{ name, kind, ...(container ? { container } : {}), ...where }] : [];
    });
    return { data: { symbols }, total: ordered.length, doubts };
  },
  render: ({ symbols }, total) => (total === 0 ? 'No symbol matches.' : symbols.map(renderSymbol).join('\n')),
  count: ({ symbols }) => symbols.length,
  cut: ({ symbols }, keep) => ({ symbols: symbols.slice(0, keep) }),
});

function renderSymbol({
  name,
  kind,
  container,
  file_path,
  line,
  character,
  text,
  clamped,
}: z.output<typeof found>): string {
  const whole = container ? `${container}.${name}` : name;
  const shown = [`${kind} ${whole}`, `${file_path}:${line}:${character}`, text, clamped && clampedMark];
  return shown.filter(Boolean).join('  ');
}
