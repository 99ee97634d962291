import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { defineTool } from '../run/define-tool.ts';
import { maxTokens } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderSpans, shownRange, toLocations } from '../show/location.ts';
import { findElsewhere, scope } from '../show/repositories.ts';
import { locate } from '../target/locate.ts';
import { type SymbolDefinition, sourceOf, symbolDefinition } from '../target/symbol-definition.ts';
import { type Located, target } from '../target/target-fields.ts';
import { cutInspection, cutSource } from './cut-inspection.ts';
import { type Inspection, inspection, partNames } from './inspection.ts';
import { inspectionParts, toPartsData } from './inspection-parts.ts';
import { countLines, renderInspection } from './render-inspection.ts';

/** Shows everything important about one symbol. */
export const inspectSymbol = defineTool({
  name: 'inspect_symbol',
  title: 'Inspect a symbol',
  toolset: 'symbols',
  listed: true,
  description:
    'One symbol in one call: source, signature, documentation, callers, references by file, implementations, problems.',
  input: z.strictObject({
    ...target,
    include: z.array(z.enum(partNames)).min(1).max(partNames.length).optional(),
    scope,
    max_tokens: maxTokens,
  }),
  output: inspection,
  effects: 'none',
  async answer(context, { include, scope: asked, ...given }, call) {
    const located = await locate(context, given, call, { takesNameless: true });
    const { place, nameless } = located;
    const asking = nameless ? undefined : context.backend.ask({ kind: 'definition', place }, call);
    const declaring = symbolDefinition(context, located, asking, call);
    const [declared, parts] = await Promise.all([
      declaring,
      inspectionParts(context, located, { asking, declaring }, include, call),
    ]);
    const definitions = await toLocations(context, declared.definitions.slice(0, context.page), call);
    const isShown = include?.includes('definition') !== false;
    const source = isShown ? await sourceOf(context, declared, place.path) : [];
    const { totals, ...shown } = toPartsData(parts);
    const places = [place, ...(located.also ?? [])];
    const others = await findElsewhere(context, 'references', { places, asked }, call);
    const some = orderSpans(others.answer).slice(0, limits.inspect.files);
    const elsewhere = asked === 'workspace' ? {} : { elsewhere: await toLocations(context, some, call) };
    const counted = asked === 'workspace' ? {} : { elsewhere: others.answer.length };
    const lines = source.length > 0 ? { lines: countLines(source) } : {};
    return {
      data: {
        symbol: symbolOf(context, located, declared),
        definitions,
        ...(source.length > 0 ? { source: cutSource(source) } : {}),
        ...shown,
        ...elsewhere,
        totals: { ...lines, ...totals, ...counted },
      },
      adjusted: located.adjusted,
      doubts: [
        ...located.doubts,
        ...declared.doubts,
        ...others.doubts,
        ...Object.values(parts).flatMap(({ doubts }) => doubts),
      ],
    };
  },
  render: renderInspection,
  prose: ['hover', 'text'],
  shorten: cutInspection,
});

/** Returns the name of the symbol and its position, for the next call. */
function symbolOf(
  { workspace }: ToolContext,
  { place, name }: Located,
  { symbol, definitions: [first] }: SymbolDefinition,
): Inspection['symbol'] {
  const { path, position: at } = place;
  const { path: file, range, standing = 'inside' } = first ?? { path, range: { start: at, end: at } };
  return {
    name: symbol?.name ?? name ?? '',
    ...(symbol ? { kind: symbol.kind } : {}),
    file_path: workspace.show(file),
    ...shownRange(symbol?.selection ?? range),
    ...(standing === 'inside' ? {} : { external: standing }),
  };
}
