import { type SymbolKind, symbolKinds } from '../../../core/symbol-kinds.ts';

/** Identifies a symbol in all repositories: 64 bits of a hash of what they have in common. */
export type SymbolKey = bigint;

/** One index in a store: what one indexer said of one commit of a repository. */
export interface StoredIndex {
  readonly id: number;
  readonly repository: string;
  /** The commit that was indexed; empty if the repository has none. */
  readonly commit: string;
  /** When it was added, in the form of ISO 8601. */
  readonly time: string;
  /** The indexer and its version. */
  readonly tool: string;
  readonly documents: number;
  readonly occurrences: number;
  /** Documents whose text could not be compared with the index, so that their columns are as the index says. */
  readonly unverified: number;
}

/** Facts about a document of an index. */
export interface StoredDocument {
  readonly index: number;
  readonly id: number;
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly language: string;
  /** Hash of the file at the import; empty if the text was not there, or was not the one that was indexed. */
  readonly hash: string;
}

/** A symbol as one index knows it. */
export interface StoredSymbol {
  readonly index: number;
  readonly key: SymbolKey;
  /** As the indexer writes it, with the version of its package. */
  readonly symbol: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly documentation: string;
  /** True if a document of the index defines it. */
  readonly isDefined: boolean;
}

/** A place and its role. Lines and columns count from 0; columns are UTF-16 units where the text was known. */
export interface StoredOccurrence {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly isDefinition: boolean;
}

/** The places of a symbol in one document. */
export interface Posting {
  readonly key: SymbolKey;
  readonly document: StoredDocument;
  readonly occurrences: readonly StoredOccurrence[];
}

/** The content of a document, to be stored. */
export interface NewDocument {
  readonly path: string;
  readonly language: string;
  readonly hash: string;
  /** The text, if it is known to be the one that was indexed. */
  readonly text: string | undefined;
  readonly symbols: readonly { readonly key: SymbolKey; readonly occurrences: readonly StoredOccurrence[] }[];
  /** Symbols that mean nothing elsewhere. */
  readonly locals: readonly (readonly StoredOccurrence[])[];
}

/** A symbol to be stored, and the symbols that it implements. */
export interface NewSymbol extends Omit<StoredSymbol, 'index'> {
  readonly implements: readonly SymbolKey[];
}

/** Writes one index. Nobody sees it before it is whole. */
export interface IndexWriter {
  addDocument(document: NewDocument): Promise<void>;
  addSymbols(symbols: readonly NewSymbol[]): Promise<void>;
  /** Makes it visible, and removes the earlier one of the same repository and indexer: both at once. */
  publish(
    facts: Pick<StoredIndex, 'tool' | 'documents' | 'occurrences' | 'unverified'>,
  ): Promise<StoredIndex>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** True if an index is the earlier one of the same repository by the same indexer, in whatever version. */
export function isReplacedBy(before: StoredIndex, after: StoredIndex): boolean {
  const indexer = ({ tool }: StoredIndex) => tool.split(' ')[0];
  return before.repository === after.repository && indexer(before) === indexer(after);
}

/** Where indexes are kept. */
export interface IndexStore {
  /** Names the place, without secrets. */
  readonly place: string;
  /** Returns the indexes, ordered by repository. */
  list(): Promise<readonly StoredIndex[]>;
  write(index: Pick<StoredIndex, 'repository' | 'commit'>): Promise<IndexWriter>;
  /** Removes the indexes of a repository; returns how many were there. */
  remove(repository: string): Promise<number>;
  /** Returns the places of symbols in all indexes, at most so many documents. */
  postings(keys: readonly SymbolKey[], most: number): Promise<readonly Posting[]>;
  /** Returns what the indexes know of symbols. */
  symbols(keys: readonly SymbolKey[]): Promise<readonly StoredSymbol[]>;
  /** Returns the defined symbols whose name begins with a text, in any case, at most so many. */
  named(start: string, most: number): Promise<readonly StoredSymbol[]>;
  /** Returns the keys of symbols that implement these. */
  implementers(keys: readonly SymbolKey[]): Promise<readonly SymbolKey[]>;
  /** Returns a document of an index. */
  document(index: number, path: string): Promise<StoredDocument | undefined>;
  /** Returns all that is named in a document. */
  content(document: StoredDocument): Promise<Pick<NewDocument, 'symbols' | 'locals' | 'text'> | undefined>;
  /** Returns the documents of an index, ordered by path. */
  documents(index: number): Promise<readonly StoredDocument[]>;
  /** Checks that what is stored can be read; returns what is wrong. */
  verify(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const knownKinds: ReadonlyMap<string, SymbolKind> = new Map(symbolKinds.map((kind) => [kind, kind]));

/** Returns the kind of a symbol that a store names; another lspan may have written kinds that this one does not know. */
export function storedKind(stored: string): SymbolKind {
  return knownKinds.get(stored) ?? 'variable';
}
