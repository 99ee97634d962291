import { limits } from '../../../core/limits.ts';
import { symbolKey } from '../import/import-index.ts';
import type { IndexStore, Posting, SymbolKey } from '../store/index-store.ts';

/**
 * Returns the documents that name symbols. Where an object is made, some indexers name the constructor of a class and not the
 * class: those places are uses of the class too.
 */
export async function usesOf(store: IndexStore, keys: readonly SymbolKey[]): Promise<readonly Posting[]> {
  const own = await store.postings(keys, limits.index.documents);
  const constructors = await constructorsOf(store, keys);
  if (constructors.length === 0) return own;
  const made = await store.postings(constructors, limits.index.documents - own.length);
  const uses = made.map(({ occurrences, ...posting }) => ({
    ...posting,
    occurrences: occurrences.filter(({ isDefinition }) => !isDefinition),
  }));
  return [...own, ...uses.filter(({ occurrences }) => occurrences.length > 0)];
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
