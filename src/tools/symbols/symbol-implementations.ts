import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Place } from '../../core/questions.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Location, orderManySpans, spanKey, toLocations } from '../show/location.ts';
import { cachedAt, type SymbolDefinition } from '../target/symbol-definition.ts';

/** The implementations of a symbol. */
export interface Implementations {
  readonly listed: readonly Location[];
  readonly total: number;
}

/** Finds what else implements a symbol; `undefined` if its kind cannot be implemented, unless `isMeant`. */
export async function symbolImplementations(
  context: ToolContext,
  { place, isMeant, most }: { readonly place: Place; readonly isMeant: boolean; readonly most: number },
  declaring: Promise<SymbolDefinition>,
  call: Call,
): Promise<Reply<Implementations | undefined>> {
  const fits = (kind: SymbolKind | undefined) => isMeant || (kind !== undefined && implemented.has(kind));
  const cached = cachedAt(context, place);
  const ask = () => context.backend.ask({ kind: 'implementations', place }, call);
  const early = cached === undefined || fits(cached.kind) ? ask() : undefined;
  // A failure does not matter if the kind turns out to be another.
  early?.catch(() => {});
  const { symbol, definitions } = await declaring;
  if (!fits(symbol?.kind)) return { answer: undefined, doubts: [] };
  const { answer, doubts } = await (early ?? ask());
  const own = new Set(definitions.map(spanKey));
  const spans = (await orderManySpans(answer)).filter((span) => !own.has(spanKey(span)));
  const listed = await toLocations(context, spans.slice(0, most), call);
  return { answer: { listed, total: spans.length }, doubts };
}

const implemented: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'method']);
