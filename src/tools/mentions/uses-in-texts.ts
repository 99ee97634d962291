import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { isPython, isScript } from '../../source-text/imports.ts';
import { mayNameCode, namePathsIn } from '../../source-text/names/name-paths.ts';
import { functionOfParameter, isInClassAt, parametrizedAt } from '../../source-text/names/pytest-fixtures.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { FoundMentions, FoundUse, Mention } from './mentions.ts';
import { NamedSymbol } from './named-symbol.ts';

/**
 * Takes those mentions for uses that no server knows of: what names a symbol of Python by its module, as
 * `mock.patch("shop.cart.total")` and the entry point `shop.cart:total` do, the handler `src/cart.total` of a service, and what
 * `parametrize("size", …)` gives values to.
 */
export async function withUsesInTexts(
  context: ToolContext,
  symbol: SearchedSymbol,
  all: FoundMentions,
): Promise<FoundMentions> {
  if (!isPython(symbol.place.path) && !isScript(symbol.place.path)) return all;
  const texts = all.found.filter(({ reason }) => reason === 'string' || reason === 'other_language');
  const naming = texts.filter(({ path }) => isPython(path) || mayNameCode(path));
  if (naming.length === 0) return all;
  const known = [...symbol.references, ...all.uses];
  const symbolAt = new NamedSymbol(context, symbol.name, known);
  const [uses, shared] = [new Map<Mention, FoundUse>(), new Set<Mention>()];
  for (const [path, mentions] of groupBy(naming, (one) => one.path)) {
    const document = await documentAt(context, path);
    if (!document) continue;
    const words = mentions.map((mention) => ({ mention, ...wordOf(document, mention) }));
    const named = await namedIn(document, words, symbolAt);
    const given = givenByDecorators(document, words, known);
    for (const { mention } of [...named, ...given.sure]) uses.set(mention, useAt(mention));
    for (const { mention } of given.shared) shared.add(mention);
  }
  if (uses.size + shared.size === 0) return all;
  const found = all.found
    .filter((mention) => !uses.has(mention))
    .map((mention) => (shared.has(mention) ? { ...mention, reason: 'unverified' as const } : mention));
  return { ...all, found, uses: [...all.uses, ...uses.values()] };
}

/** Returns the words that end a path of names which leads to the symbol. */
async function namedIn<Named extends Word>(
  { path, text }: Document,
  words: readonly Named[],
  symbolAt: NamedSymbol,
): Promise<readonly Named[]> {
  const named: Named[] = [];
  for (const [word, found] of namePathsIn(path, text, words))
    if (await symbolAt.is(path, found)) named.push(word);
  return named;
}

interface Word {
  readonly start: number;
  readonly end: number;
}

function wordOf(document: Document, { range: { start, end } }: Span): Word {
  return { start: document.offsetAt(start), end: document.offsetAt(end) };
}

/**
 * Returns the words in decorators that give values to a parameter, if the symbol is that parameter. Those of a class are for
 * each method with such a parameter.
 */
function givenByDecorators<Given extends Word>(
  document: Document,
  words: readonly Given[],
  known: readonly Span[],
): { readonly sure: readonly Given[]; readonly shared: readonly Given[] } {
  const { path, text } = document;
  const [sure, shared]: [Given[], Given[]] = [[], []];
  let owners: readonly number[] | undefined;
  for (const word of words) {
    const tested = parametrizedAt(path, text, word);
    if (!tested) continue;
    const own = known.filter((span) => span.path === path);
    owners ??= own.flatMap((span) => functionOfParameter(text, wordOf(document, span)) ?? []);
    if (!tested.isClass && owners.includes(tested.offset)) sure.push(word);
    if (tested.isClass && owners.some((owner) => isInClassAt(text, tested.offset, owner))) shared.push(word);
  }
  return { sure, shared };
}

function useAt({ path, range, standing, isAlias }: Mention): FoundUse {
  const span: Span = { path, range, standing };
  return { ...span, isInText: true, ...(isAlias ? { isAlias } : {}) };
}
