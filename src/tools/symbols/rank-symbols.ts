import { comparePositions } from '../../core/position.ts';
import type { FoundSymbol } from '../../core/question.ts';
import { eachInSlices, sortInSlices } from '../../core/runtime/slices.ts';

/** Orders results: exact names, names that begin so, then the rest; each by path and position. Removes duplicates. */
export async function rankSymbols(query: string, symbols: readonly FoundSymbol[]): Promise<FoundSymbol[]> {
  const ranked: Ranked[] = [];
  const begin = query.toLowerCase();
  await eachInSlices(symbols, (symbol) => ranked.push({ symbol, rank: rankOf(symbol, query, begin) }));
  const ordered: FoundSymbol[] = [];
  await eachInSlices(await sortInSlices(ranked, compareRanked), ({ symbol }) => {
    const before = ordered.at(-1);
    // The last of several duplicates is kept.
    if (before && compareSymbols(before, symbol) === 0) ordered.pop();
    ordered.push(symbol);
  });
  return ordered;
}

interface Ranked {
  readonly symbol: FoundSymbol;
  readonly rank: number;
}

function rankOf({ name }: FoundSymbol, query: string, begin: string): number {
  if (name === query) return 0;
  return name.toLowerCase().startsWith(begin) ? 1 : 2;
}

function compareRanked(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || compareSymbols(a.symbol, b.symbol);
}

function compareSymbols(a: FoundSymbol, b: FoundSymbol): number {
  if (a.span.path !== b.span.path) return a.span.path < b.span.path ? -1 : 1;
  const order = comparePositions(a.span.range.start, b.span.range.start);
  if (order !== 0 || a.name === b.name) return order;
  return a.name < b.name ? -1 : 1;
}
