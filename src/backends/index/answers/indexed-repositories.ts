import type { Reply, Repositories, RepositoryQuestion, RepositorySymbol } from '../../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { FoundSymbol, Span } from '../../../core/question.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import { type Document, documentOf } from '../../../workspace/texts/document.ts';
import { parseSymbol, symbolName } from '../scip/scip-symbol.ts';
import type { IndexStore, Posting, StoredIndex, StoredSymbol, SymbolKey } from '../store/index-store.ts';
import { asOf, type IndexContext, ownFile, rangeOf, shortCommit } from './index-context.ts';
import { type SymbolAt, symbolAt } from './symbol-at.ts';
import { plainPostings, usesOf } from './uses-of.ts';

/** Answers about other repositories from a store of indexes. */
export class IndexedRepositories implements Repositories {
  readonly #context: IndexContext;
  readonly #texts = new BoundedCache<Document | undefined>({ count: limits.index.lines });

  constructor(context: IndexContext) {
    this.#context = context;
  }

  async isThere(): Promise<boolean> {
    const store = await this.#context.store();
    return store !== undefined && (await store.list()).length > 0;
  }

  async find(
    question: RepositoryQuestion,
    symbol: RepositorySymbol,
    call: Call,
  ): Promise<Reply<readonly Span[]>> {
    const store = await this.#store();
    const own = await this.#ownIds(store);
    const { keys, doubts } = await this.#keysOf(store, symbol);
    cancelSignalOf(call).throwIfAborted();
    const wanted = question === 'implementations' ? await store.implementers(keys) : keys;
    const { postings, isCapped } = await (question === 'references' ? usesOf : plainPostings)(store, wanted);
    const indexes = new Map((await store.list()).map((one) => [one.id, one]));
    const others = postings.filter(({ document }) => !own.has(document.index));
    const spans = others.flatMap((posting) => spansOf(posting, indexes, question !== 'references'));
    const concerned = [...new Set(others.map(({ document }) => document.index))];
    const told = concerned.flatMap((id) => indexes.get(id) ?? []);
    const versions = keys.length === 0 ? [] : versionDoubts(await store.symbols(keys), indexes);
    const capped = isCapped ? [tooMany] : [];
    return { answer: spans, doubts: [...doubts, ...asOf(told), ...versions, ...capped] };
  }

  async search(query: string, call: Call): Promise<Reply<readonly FoundSymbol[]>> {
    const store = await this.#store();
    const own = await this.#ownIds(store);
    const indexes = new Map((await store.list()).map((one) => [one.id, one]));
    const found = (await store.named(query, limits.index.found)).filter(({ index }) => !own.has(index));
    const symbols: FoundSymbol[] = [];
    for (const one of found) {
      cancelSignalOf(call).throwIfAborted();
      symbols.push(...(await definitionsOf(store, one, indexes)));
    }
    const told = [...new Set(found.map(({ index }) => index))].flatMap((id) => indexes.get(id) ?? []);
    const capped = found.length >= limits.index.found ? [tooMany] : [];
    return { answer: symbols, doubts: [...asOf(told), ...capped] };
  }

  async line({ indexed, range }: Span): Promise<string | undefined> {
    if (!indexed) return undefined;
    const key = `${indexed.index} ${indexed.path}`;
    if (!this.#texts.has(key)) this.#texts.set(key, await this.#textOf(indexed.index, indexed.path));
    return this.#texts.get(key)?.line(range.start.line);
  }

  async #textOf(index: number, path: string): Promise<Document | undefined> {
    const store = await this.#store();
    const document = await store.document(index, path);
    const text = document && (await store.content(document))?.text;
    return text === undefined ? undefined : documentOf(path, text);
  }

  async #store(): Promise<IndexStore> {
    const store = await this.#context.store();
    if (store && (await store.list()).length > 0) return store;
    throw new LspanError(
      'not_found',
      'No repository is indexed, so that only the workspace can be searched.',
      {
        nextStep: 'Leave out `scope`; or ask the user to run: lspan index add FILE.scip',
      },
    );
  }

  /** The ids of the indexes of the workspace's own repositories, which language servers know better. */
  async #ownIds(store: IndexStore): Promise<ReadonlySet<number>> {
    const names = this.#context.workspace.roots.map((root) => this.#context.repositoryOf(root).name);
    const own = (await store.list()).filter(({ repository }) => names.includes(repository));
    return new Set(own.map(({ id }) => id));
  }

  async #keysOf(
    store: IndexStore,
    symbol: RepositorySymbol,
  ): Promise<{ keys: readonly SymbolKey[]; doubts: readonly Doubt[] }> {
    if ('name' in symbol) return keysByName(store, symbol.name);
    const found: SymbolAt[] = [];
    let hasIndex = false;
    for (const place of symbol.places) {
      const own = await ownFile(this.#context, store, place.path);
      hasIndex ||= own !== undefined && own.indexes.length > 0;
      const at = await symbolAt(this.#context, store, place);
      if (at) found.push(at);
    }
    const keys = [...new Set(found.flatMap((one) => one.keys))];
    if (keys.length > 0) return { keys, doubts: changedDoubts(found) };
    // What is local to a file has no uses in other repositories.
    if (found.some(({ local }) => local.length > 0)) return { keys, doubts: [] };
    return { keys, doubts: [hasIndex ? notInIndex : noOwnIndex] };
  }
}

const noOwnIndex: Doubt = {
  kind: 'not_indexed',
  detail: 'This repository is not indexed, so that uses in others are not known. Run: lspan index build',
};

const notInIndex: Doubt = {
  kind: 'not_indexed',
  detail: 'The index of this repository does not have the symbol. Run: lspan index build',
};

const tooMany: Doubt = {
  kind: 'capped',
  detail: 'Too many places in other repositories: not all are listed.',
};

function changedDoubts(found: readonly SymbolAt[]): readonly Doubt[] {
  const changed = found.filter(({ isCurrent }) => !isCurrent).map(({ document }) => document.path);
  if (changed.length === 0) return [];
  return [
    { kind: 'changed_since', detail: `Changed since it was indexed: ${nameSome([...new Set(changed)])}.` },
  ];
}

/** `Cart.total` means the member of that container; `total` any symbol of that name. */
async function keysByName(
  store: IndexStore,
  given: string,
): Promise<{ keys: readonly SymbolKey[]; doubts: readonly Doubt[] }> {
  const path = given.split(/[./#:]+/).filter(Boolean);
  const name = path.at(-1) ?? given;
  const isMeant = (one: StoredSymbol) => {
    const { container = '' } = symbolName(parseSymbol(one.symbol));
    return one.name === name && `.${container}`.endsWith(`.${path.slice(0, -1).join('.')}`);
  };
  const within = path.length > 1;
  const found = (await store.named(name, limits.index.found)).filter((one) =>
    within ? isMeant(one) : one.name === name,
  );
  const keys = [...new Set(found.map(({ key }) => key))];
  const detail = `${keys.length} symbols of other repositories have this name: all are meant.`;
  return { keys, doubts: keys.length > 1 ? [{ kind: 'unverified', detail }] : [] };
}

function spansOf(
  { document, occurrences }: Posting,
  indexes: ReadonlyMap<number, StoredIndex>,
  definitionsOnly: boolean,
): readonly Span[] {
  const index = indexes.get(document.index);
  if (!index) return [];
  const path = shownPath(index, document.path);
  return occurrences
    .filter(({ isDefinition }) => isDefinition || !definitionsOnly)
    .map((one) => ({
      ...{ path, range: rangeOf(one), standing: 'outside' },
      indexed: { index: index.id, path: document.path },
    }));
}

function shownPath({ repository, commit }: StoredIndex, path: string): string {
  return `${repository}${commit === '' ? '' : `@${commit.slice(0, shortCommit)}`}:${path}`;
}

async function definitionsOf(
  store: IndexStore,
  { key, index, name, kind, symbol }: StoredSymbol,
  indexes: ReadonlyMap<number, StoredIndex>,
): Promise<readonly FoundSymbol[]> {
  const postings = (await store.postings([key], limits.index.documents)).filter(
    ({ document }) => document.index === index,
  );
  const { container } = symbolName(parseSymbol(symbol));
  const spans = postings.flatMap((posting) => spansOf(posting, indexes, true));
  return spans.map((span) => ({ name, kind, ...(container === undefined ? {} : { container }), span }));
}

/** Repositories may use several versions of a package, and of one built file where another has its source. */
function versionDoubts(
  symbols: readonly StoredSymbol[],
  indexes: ReadonlyMap<number, StoredIndex>,
): readonly Doubt[] {
  const live = symbols.filter(({ index }) => indexes.has(index));
  const parsed = live.flatMap(({ symbol }) => parseSymbol(symbol) ?? []);
  const versions = [...new Set(parsed.map(({ version }) => version).filter(Boolean))].sort();
  const forms = new Set(parsed.map(({ descriptors }) => JSON.stringify(descriptors)));
  const name = parsed[0]?.package ?? '';
  if (versions.length <= 1 && forms.size <= 1) return [];
  const told = versions.length > 1 ? `versions ${nameSome(versions)}` : 'sources and built files';
  return [{ kind: 'unverified', detail: `Uses of several ${told} of ${name} are joined by name.` }];
}
