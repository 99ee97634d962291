import type { Database, Statement } from 'node-sqlite3-wasm';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import type { PublishedFiles } from '../../../platform/large-files/published-files.ts';
import type {
  NewDocument,
  StoredDocument,
  StoredOccurrence,
  StoredSymbol,
  SymbolKey,
} from './index-store.ts';
import { decodeContent, decodeOccurrences } from './occurrence-codec.ts';
import type { OpenDatabase } from './sqlite.ts';
import { column, type StoredRow, toDocument, toSymbol } from './stored-rows.ts';

/** The tables of a segment. `source` is the id of the index that a row comes from. */
export const segmentTables = `
CREATE TABLE document (id INTEGER PRIMARY KEY, source INTEGER, path TEXT, language TEXT, hash TEXT);
CREATE TABLE content (document INTEGER PRIMARY KEY, bytes BLOB);
CREATE TABLE symbol (key INTEGER, source INTEGER, symbol TEXT, name TEXT, kind TEXT, defined INTEGER,
  PRIMARY KEY (key, source, symbol)) WITHOUT ROWID;
CREATE TABLE documentation (key INTEGER, source INTEGER, text TEXT, PRIMARY KEY (key, source)) WITHOUT ROWID;
CREATE TABLE posting (key INTEGER, source INTEGER, document INTEGER, places BLOB,
  PRIMARY KEY (key, source, document)) WITHOUT ROWID;
CREATE TABLE implementation (target INTEGER, source INTEGER, key INTEGER,
  PRIMARY KEY (target, source, key)) WITHOUT ROWID;`;

/** What is made of the rows when all are there. */
export const segmentIndexes = `
CREATE INDEX symbol_name ON symbol (lower(name)) WHERE defined = 1;
CREATE INDEX document_path ON document (source, path);`;

/** A posting as a segment has it: the document is only numbered. */
interface SegmentPosting {
  readonly key: SymbolKey;
  readonly source: number;
  readonly document: number;
  readonly occurrences: readonly StoredOccurrence[];
}

const queries = {
  postings: 'SELECT key, source, document, places FROM posting WHERE key = ?',
  document: 'SELECT id, source, path, language, hash FROM document WHERE id = ?',
  documentAt: 'SELECT id, source, path, language, hash FROM document WHERE source = ? AND path = ?',
  documents: 'SELECT id, source, path, language, hash FROM document WHERE source = ? ORDER BY path',
  content: 'SELECT bytes FROM content WHERE document = ?',
  symbols: `SELECT s.key, s.source, s.symbol, s.name, s.kind, s.defined, d.text AS documentation FROM symbol s
    LEFT JOIN documentation d ON d.key = s.key AND d.source = s.source WHERE s.key = ?`,
  named: `SELECT key, source, symbol, name, kind, defined, '' AS documentation FROM symbol
    WHERE defined = 1 AND lower(name) >= ? AND lower(name) < ? ORDER BY lower(name), key LIMIT ?`,
  implementers: 'SELECT source, key FROM implementation WHERE target = ?',
} as const;

/** One file of the embedded store: a database that is never written again. */
export class Segment {
  readonly #database: Database;
  readonly #statements = new Map<keyof typeof queries, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Opens a file without locking it for others: SQLite keeps it open when its name is gone. */
  static open(files: PublishedFiles, name: string, open: OpenDatabase): Segment {
    const opened = resultOrError(() => Segment.#open(files, name, open));
    if (opened instanceof LspanError) throw isGone(opened) ? opened.cause : damaged(name, opened);
    return opened;
  }

  static #open(files: PublishedFiles, name: string, open: OpenDatabase): Segment {
    return files.withOwnName(name, (file) => {
      const database = open(file, { readOnly: true });
      database.exec(
        `PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -${limits.index.cachePages / 1024}`,
      );
      database.get('SELECT 1 FROM sqlite_master');
      return new Segment(database);
    });
  }

  postings(key: SymbolKey): readonly SegmentPosting[] {
    return this.#all('postings', [key]).map((row) => ({
      key,
      source: column.number(row, 'source'),
      document: column.number(row, 'document'),
      occurrences: decodeOccurrences(column.bytes(row, 'places')),
    }));
  }

  document(id: number): StoredDocument | undefined {
    return this.#all('document', [id]).map(toDocument)[0];
  }

  documentAt(source: number, path: string): StoredDocument | undefined {
    return this.#all('documentAt', [source, path]).map(toDocument)[0];
  }

  documents(source: number): readonly StoredDocument[] {
    return this.#all('documents', [source]).map(toDocument);
  }

  content(document: number): Pick<NewDocument, 'symbols' | 'locals' | 'text'> | undefined {
    const [row] = this.#all('content', [document]);
    return row && decodeContent(column.bytes(row, 'bytes'));
  }

  symbols(key: SymbolKey): readonly StoredSymbol[] {
    return this.#all('symbols', [key]).map(toSymbol);
  }

  /** The end of a range of texts with a common start is that start and the last character of Unicode. */
  named(start: string, most: number): readonly StoredSymbol[] {
    const from = start.toLowerCase();
    return this.#all('named', [from, `${from}\u{10ffff}`, most]).map(toSymbol);
  }

  implementers(key: SymbolKey): readonly { readonly source: number; readonly key: SymbolKey }[] {
    return this.#all('implementers', [key]).map((row) => ({
      source: column.number(row, 'source'),
      key: column.key(row, 'key'),
    }));
  }

  /** Returns what SQLite finds wrong with the file. */
  faults(): readonly string[] {
    const rows = this.#database.all('PRAGMA integrity_check(5)');
    return rows.map((row) => String(Object.values(row)[0])).filter((told) => told !== 'ok');
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#database.close();
  }

  #all(name: keyof typeof queries, values: (bigint | number | string)[]): readonly StoredRow[] {
    const statement = this.#statements.get(name) ?? this.#database.prepare(queries[name]);
    this.#statements.set(name, statement);
    return statement.all(values);
  }
}

/** Another process may have merged the file meanwhile. */
function isGone({ cause }: LspanError): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function damaged(name: string, { cause }: LspanError): LspanError {
  const why = cause instanceof Error ? cause.message : 'it cannot be read';
  return new LspanError('refused', `The file ${name} of the indexes is damaged: ${why}.`, {
    nextStep: 'Remove what `lspan index list` shows with `lspan index remove NAME`, and add it again.',
    cause,
  });
}
