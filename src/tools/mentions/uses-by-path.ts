import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { isPython } from '../../source-text/imports.ts';
import { namePathsIn } from '../../source-text/names/name-paths.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { BoundPaths } from './bound-paths.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { FoundMentions, FoundUse, Mention } from './mentions.ts';

/**
 * Takes those mentions for uses that name a symbol of Python by its module, as `mock.patch("shop.cart.total")` and the
 * entry point `shop.cart:total` do: no server knows of them.
 */
export async function withUsesByPath(
  context: ToolContext,
  symbol: SearchedSymbol,
  all: FoundMentions,
): Promise<FoundMentions> {
  if (!isPython(symbol.place.path)) return all;
  const texts = all.found.filter(({ reason }) => reason === 'string' || reason === 'other_language');
  if (texts.length === 0) return all;
  const paths = new BoundPaths(context, [...symbol.references, ...all.uses]);
  const uses = new Map<Mention, FoundUse>();
  for (const [path, mentions] of groupBy(texts, (one) => one.path)) {
    const document = await documentAt(context, path);
    if (!document) continue;
    const words = mentions.map((mention) => {
      const { start, end } = mention.range;
      return { mention, start: document.offsetAt(start), end: document.offsetAt(end) };
    });
    for (const [{ mention }, found] of namePathsIn(path, document.text, words))
      if (await paths.has(found)) uses.set(mention, useAt(mention));
  }
  if (uses.size === 0) return all;
  const found = all.found.filter((mention) => !uses.has(mention));
  return { ...all, found, uses: [...all.uses, ...uses.values()] };
}

function useAt({ path, range, standing, isAlias }: Mention): FoundUse {
  const span: Span = { path, range, standing };
  return { ...span, isByPath: true, ...(isAlias ? { isAlias } : {}) };
}
