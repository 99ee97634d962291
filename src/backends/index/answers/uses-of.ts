import { limits } from '../../../core/limits.ts';
import { symbolKey } from '../import/import-index.ts';
import type { IndexStore, Posting, SymbolKey } from '../store/index-store.ts';

/** Documents that name symbols, and whether there may be more. */
interface FoundPostings {
  readonly postings: readonly Posting[];
  readonly isCapped: boolean;
}

/**
 * Returns the documents that name symbols. Where an object is made, some indexers name the constructor of a class and not the
 * class: those places are uses of the class too.
 */
export async function usesOf(store: IndexStore, keys: readonly SymbolKey[]): Promise<FoundPostings> {
  const own = await store.postings(keys, limits.index.documents);
  const constructors = await constructorsOf(store, keys);
  const made =
    constructors.length === 0 ? [] : await store.postings(constructors, limits.index.documents - own.length);
  const uses = made.map(({ occurrences, ...posting }) => ({
    ...posting,
    occurrences: occurrences.filter(({ isDefinition }) => !isDefinition),
  }));
  return {
    postings: [...own, ...uses.filter(({ occurrences }) => occurrences.length > 0)],
    isCapped: own.length + made.length >= limits.index.documents,
  };
}

/** Returns the documents that name symbols, as they are. */
export async function plainPostings(store: IndexStore, keys: readonly SymbolKey[]): Promise<FoundPostings> {
  const postings = await store.postings(keys, limits.index.documents);
  return { postings, isCapped: postings.length >= limits.index.documents };
}

async function constructorsOf(store: IndexStore, keys: readonly SymbolKey[]): Promise<readonly SymbolKey[]> {
  const types = (await store.symbols(keys)).filter(({ symbol }) => symbol.endsWith('#'));
  if (types.length === 0) return [];
  const repositories = new Map((await store.list()).map(({ id, repository }) => [id, repository]));
  const found = types.map(({ symbol, index }) =>
    symbolKey(`${symbol}\`<constructor>\`().`, repositories.get(index) ?? ''),
  );
  return [...new Set(found)];
}
