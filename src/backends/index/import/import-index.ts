import crypto from 'node:crypto';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import type { SymbolKind } from '../../../core/symbol-kinds.ts';
import type { ByteReader } from '../../../platform/large-files/byte-reader.ts';
import { type Document, documentOf } from '../../../workspace/texts/document.ts';
import { readScip, type ScipDocument, type ScipOccurrence, type ScipSymbol } from '../scip/read-scip.ts';
import { isLocal, joinText, kindOf, numberedKinds, parseSymbol, symbolName } from '../scip/scip-symbol.ts';
import { notScip } from '../scip/wire-reader.ts';
import type {
  IndexStore,
  IndexWriter,
  NewDocument,
  NewSymbol,
  StoredIndex,
  StoredOccurrence,
  SymbolKey,
} from '../store/index-store.ts';
import { fitText, toStored } from './fit-text.ts';

/** What is added to a store, and how. */
export interface ImportOptions {
  readonly file: ByteReader;
  readonly repository: string;
  readonly commit: string;
  /** True if the texts are said to be those that were indexed: if most differ, the index is refused. */
  readonly mustFit: boolean;
  /** True if the texts are stored too, so that lines of code can be shown where the files are not. */
  readonly keepsTexts: boolean;
  /** Returns the text at a path of the repository, as it was when it was indexed; `undefined` if that is not known. */
  read(path: string): Document | undefined | Promise<Document | undefined>;
  report(done: { readonly bytes: number; readonly of: number; readonly documents: number }): void;
  readonly signal?: CancelSignal | undefined;
}

/** Adds an index to a store: all of it or nothing. */
export async function importIndex(store: IndexStore, options: ImportOptions): Promise<StoredIndex> {
  const writer = await store.write(options);
  const run = new ImportRun(writer, options);
  return run.run().catch(async (error: unknown) => {
    await writer.discard();
    throw error;
  });
}

/** One import: what it has counted and remembers. */
class ImportRun {
  readonly #writer: IndexWriter;
  readonly #options: ImportOptions;
  /** What was told to the store already of symbols that documents mention. */
  readonly #known = new BoundedCache<SymbolFacts>({ count: limits.index.remembered });
  readonly #paths = new Set<string>();
  #tool = '';
  #occurrences = 0;
  /** Documents with and without a text of which they were made. */
  #fitting = 0;
  #differing = 0;
  #missing = 0;

  constructor(writer: IndexWriter, options: ImportOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  async run(): Promise<StoredIndex> {
    const { file, report, signal } = this.#options;
    for (const part of readScip(file)) {
      signal?.throwIfAborted();
      if (part.kind === 'metadata') this.#tool = [part.tool, part.toolVersion].filter(Boolean).join(' ');
      else if (part.kind === 'symbol') await this.#writer.addSymbols(this.#described([part], new Set()));
      else {
        await this.#addDocument(part);
        report({ bytes: file.position, of: file.size, documents: this.#paths.size });
      }
    }
    this.#check();
    return this.#writer.publish({
      tool: this.#tool,
      documents: this.#paths.size,
      occurrences: this.#occurrences,
      unverified: this.#differing + this.#missing,
    });
  }

  #check(): void {
    if (this.#paths.size === 0) throw notScip('it has no documents');
    const { mustFit } = this.#options;
    if (!mustFit || this.#differing <= this.#fitting) return;
    const all = this.#differing + this.#fitting;
    throw new LspanError('stale', `${this.#differing} of ${all} files are not those that were indexed.`, {
      nextStep: 'Make the index again, or give the commit that it was made from: --commit SHA.',
    });
  }

  async #addDocument(part: ScipDocument): Promise<void> {
    // Of two documents of one path, one would hide the other.
    if (this.#paths.has(part.path)) throw notScip(`the document ${JSON.stringify(part.path)} is in it twice`);
    this.#paths.add(part.path);
    this.#occurrences += part.occurrences.length;
    const onDisk = await this.#options.read(part.path);
    const text = onDisk ?? (part.text === undefined ? undefined : documentOf(part.path, part.text));
    const groups = this.#groupsOf(part.occurrences);
    const news = this.#newSymbols(part, groups);
    const fit = text && fitText(part, text, groups);
    if (fit) this.#fitting++;
    else if (text) this.#differing++;
    else this.#missing++;
    const stored = groups.map((group) => ({ ...group, occurrences: toStored(group.occurrences, text, fit) }));
    const document: NewDocument = {
      path: part.path,
      language: part.language,
      hash: fit && onDisk ? onDisk.hash : '',
      text: fit && this.#options.keepsTexts ? text.text : undefined,
      symbols: joined(stored),
      locals: stored.filter(({ key }) => key === undefined).map(({ occurrences }) => occurrences),
    };
    await this.#writer.addSymbols(news);
    await this.#writer.addDocument(document);
  }

  #groupsOf(occurrences: readonly ScipOccurrence[]): readonly Group[] {
    const groups = new Map<string, Group & { occurrences: ScipOccurrence[]; isDefined: boolean }>();
    for (const one of occurrences) {
      const known = groups.get(one.symbol);
      if (known) {
        known.occurrences.push(one);
        known.isDefined ||= one.isDefinition;
        continue;
      }
      const { symbol, isDefinition: isDefined } = one;
      const facts = isLocal(symbol) ? localFacts : this.#known.peek(symbol);
      const { key, name } = facts ?? this.#factsOf(symbol);
      groups.set(symbol, { symbol, key, name, isNew: !facts, isDefined, occurrences: [one] });
    }
    const all = [...groups.values()];
    for (const { occurrences: own } of all) if (own.length > 1) inOrder(own);
    return all.sort((a, b) => byPlace(a.occurrences[0], b.occurrences[0]));
  }

  /** Returns what the document says of symbols, and the names of those that it only mentions. */
  #newSymbols(part: ScipDocument, groups: readonly Group[]): readonly NewSymbol[] {
    const described = part.symbols.filter(({ symbol }) => !isLocal(symbol));
    const known = new Set(described.map(({ symbol }) => symbol));
    const defined = new Set<string>();
    const plain: ScipSymbol[] = [];
    for (const { symbol, key, isDefined, isNew } of groups) {
      if (isDefined) defined.add(symbol);
      if (key !== undefined && (isDefined || isNew) && !known.has(symbol))
        plain.push({ ...undescribed, symbol });
    }
    return this.#described([...described, ...plain], defined);
  }

  #described(symbols: readonly ScipSymbol[], defined: ReadonlySet<string>): readonly NewSymbol[] {
    return symbols.map(({ symbol, symbolKind, displayName, documentation, implementations }) => {
      const { key, name, kind } = this.#factsOf(symbol);
      return {
        key,
        symbol,
        name: name || displayName,
        kind: numberedKinds[symbolKind] ?? kind,
        documentation,
        isDefined: defined.has(symbol),
        implements: implementations
          .filter((one) => !isLocal(one))
          .map((one) => symbolKey(one, this.#options.repository)),
      };
    });
  }

  #factsOf(symbol: string): SymbolFacts {
    const known = this.#known.peek(symbol);
    if (known !== undefined) return known;
    const parsed = parseSymbol(symbol);
    const key = symbolKey(symbol, this.#options.repository, parsed);
    const facts = { key, name: symbolName(parsed).name, kind: kindOf(parsed) };
    this.#known.set(symbol, facts);
    return facts;
  }
}

/** The places of one symbol in a document; a symbol that is local to it has neither key nor name. */
interface Group {
  readonly symbol: string;
  readonly key: SymbolKey | undefined;
  readonly name: string | undefined;
  /** True if nothing was told to the store of it yet. */
  readonly isNew: boolean;
  readonly isDefined: boolean;
  readonly occurrences: readonly ScipOccurrence[];
}

const localFacts = { key: undefined, name: undefined };

/** Symbols that differ only in what their keys leave out, such as the version of a package, are one. */
function joined(
  groups: readonly {
    readonly key: SymbolKey | undefined;
    readonly occurrences: readonly StoredOccurrence[];
  }[],
): NewDocument['symbols'] {
  const byKey = new Map<SymbolKey, readonly StoredOccurrence[]>();
  for (const { key, occurrences } of groups) {
    if (key === undefined) continue;
    const before = byKey.get(key);
    byKey.set(key, before ? inOrder([...before, ...occurrences]) : occurrences);
  }
  return [...byKey].map(([key, occurrences]) => ({ key, occurrences }));
}

function inOrder<T extends StoredOccurrence>(occurrences: T[]): T[] {
  return occurrences.sort(byPlace);
}

function byPlace(a: StoredOccurrence | undefined, b: StoredOccurrence | undefined): number {
  return a && b ? a.startLine - b.startLine || a.startColumn - b.startColumn : 0;
}

interface SymbolFacts {
  readonly key: SymbolKey;
  readonly name: string;
  readonly kind: SymbolKind;
}

const undescribed = {
  kind: 'symbol',
  symbolKind: 0,
  displayName: '',
  documentation: '',
  implementations: [],
} as const;

/** Node 20.12 and later hash a short text in half the time. */
const digestOf: (text: string) => Buffer =
  typeof crypto.hash === 'function'
    ? (text) => crypto.hash('sha256', text, 'buffer')
    : (text) => crypto.createHash('sha256').update(text).digest();

/** Returns the key under which the same symbol is found in all repositories. */
export function symbolKey(symbol: string, repository: string, parsed = parseSymbol(symbol)): SymbolKey {
  const text = joinText(symbol, repository, parsed);
  return digestOf(text).readBigInt64LE(0);
}
