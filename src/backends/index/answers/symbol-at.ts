import { limits } from '../../../core/limits.ts';
import { comparePositions, contains } from '../../../core/position.ts';
import type { Place } from '../../../core/question.ts';
import { wordAt } from '../../../source-text/words.ts';
import type {
  IndexStore,
  NewDocument,
  StoredDocument,
  StoredIndex,
  StoredOccurrence,
  SymbolKey,
} from '../store/index-store.ts';
import { type IndexContext, ownFile, rangeOf } from './index-context.ts';

/** What an index of the repository has at a place of the workspace. */
export interface SymbolAt {
  readonly index: StoredIndex;
  readonly root: string;
  readonly document: StoredDocument;
  /** False if the file has changed since: the symbol was then found by its name. */
  readonly isCurrent: boolean;
  /** Several if a name means several things, as a shorthand property does. */
  readonly keys: readonly SymbolKey[];
  /** The places of a symbol that means nothing in other files. */
  readonly local: readonly StoredOccurrence[];
}

/** Finds the symbol at a place in the index of its own repository; `undefined` if that has no such file. */
export async function symbolAt(
  context: IndexContext,
  store: IndexStore,
  { path, position }: Place,
): Promise<SymbolAt | undefined> {
  const own = await ownFile(context, store, path);
  const { index, document } = own?.found ?? {};
  const content = document && (await store.content(document));
  if (!own || !index || !document || !content) return undefined;
  const text = await context.workspace.read(path);
  const isCurrent = document.hash !== '' && document.hash === text.hash;
  const found = { index, root: own.root, document, isCurrent };
  if (!isCurrent) {
    const name = wordAt(text.line(position.line), position.character);
    return { ...found, local: [], keys: await keysNamed(store, index.id, content, name, position.line) };
  }
  const isHere = (one: StoredOccurrence) => contains(rangeOf(one), position);
  const local = content.locals.find((occurrences) => occurrences.some(isHere)) ?? [];
  return { ...found, local, keys: innermost(content, isHere) };
}

/** Of symbols around a place, those with the shortest range there are meant. */
function innermost(
  { symbols }: Pick<NewDocument, 'symbols'>,
  isHere: (one: StoredOccurrence) => boolean,
): readonly SymbolKey[] {
  const here = symbols.flatMap(({ key, occurrences }) => {
    const own = occurrences.find(isHere);
    return own ? [{ key, size: sizeOf(own) }] : [];
  });
  const least = Math.min(...here.map(({ size }) => size));
  return here.filter(({ size }) => size === least).map(({ key }) => key);
}

function sizeOf(one: StoredOccurrence): number {
  const { start, end } = rangeOf(one);
  return comparePositions(end, start) === 0
    ? 0
    : (end.line - start.line) * limits.document + end.character - start.character;
}

/** In a text that has changed, the name tells; of several symbols of that name, the one nearest to the line. */
async function keysNamed(
  store: IndexStore,
  index: number,
  { symbols }: Pick<NewDocument, 'symbols'>,
  name: string | undefined,
  line: number,
): Promise<readonly SymbolKey[]> {
  if (name === undefined) return [];
  const known = await store.symbols(symbols.map(({ key }) => key));
  const named = new Set(
    known.filter((one) => one.index === index && one.name === name).map(({ key }) => key),
  );
  const near = symbols
    .filter(({ key }) => named.has(key))
    .map(({ key, occurrences }) => ({
      key,
      distance: Math.min(...occurrences.map(({ startLine }) => Math.abs(startLine - line))),
    }))
    .toSorted((a, b) => a.distance - b.distance);
  return near.slice(0, 1).map(({ key }) => key);
}
