import { z } from 'zod';
import { defineTool } from '../run/define-tool.ts';
import { maxTokens } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { shownRange, toLocations } from '../show/location.ts';
import { locate } from '../target/locate.ts';
import { type SymbolDefinition, sourceOf, symbolDefinition } from '../target/symbol-definition.ts';
import { type Located, target } from '../target/target-fields.ts';
import { cutInspection, cutSource } from './cut-inspection.ts';
import { type Inspection, inspection, partNames } from './inspection.ts';
import { inspectionParts, tellParts } from './inspection-parts.ts';
import { linesOf, renderInspection } from './render-inspection.ts';

/** All that is worth knowing of one symbol. */
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
    max_tokens: maxTokens,
  }),
  output: inspection,
  effects: 'none',
  async answer(context, { include, ...said }, call) {
    const located = await locate(context, said, call);
    const declaring = symbolDefinition(context, located, call);
    const [declared, parts] = await Promise.all([
      declaring,
      inspectionParts(context, located, declaring, include, call),
    ]);
    const definitions = await toLocations(context, declared.definitions.slice(0, context.page), call);
    const isShown = include?.includes('definition') !== false;
    const source = isShown ? await sourceOf(context, declared, located.place.path) : [];
    const { totals, ...told } = tellParts(parts);
    const lines = source.length > 0 ? { lines: linesOf(source) } : {};
    return {
      data: {
        symbol: symbolOf(context, located, declared),
        definitions,
        ...(source.length > 0 ? { source: cutSource(source) } : {}),
        ...told,
        totals: { ...lines, ...totals },
      },
      adjusted: located.adjusted,
      doubts: [
        ...located.doubts,
        ...declared.doubts,
        ...Object.values(parts).flatMap(({ doubts }) => doubts),
      ],
    };
  },
  render: renderInspection,
  prose: ['hover', 'text'],
  shorten: cutInspection,
});

/** What the symbol is called and where its name stands, to be pasted into the next call. */
function symbolOf(
  { workspace }: ToolContext,
  { place, name }: Located,
  { symbol, definitions: [first] }: SymbolDefinition,
): Inspection['symbol'] {
  const { path, range, standing = 'inside' } = first ?? { path: place.path, range: here(place) };
  return {
    name: symbol?.name ?? name ?? '',
    ...(symbol ? { kind: symbol.kind } : {}),
    file_path: workspace.show(path),
    ...shownRange(symbol?.selection ?? range),
    ...(standing === 'inside' ? {} : { external: standing }),
  };
}

function here({ position }: Located['place']) {
  return { start: position, end: position };
}
