import type { Database } from 'node-sqlite3-wasm';
import { limits } from '../../../core/limits.ts';
import type { NewDocument, NewSymbol } from './index-store.ts';
import { encodeContent, encodeOccurrences } from './occurrence-codec.ts';
import { segmentIndexes, segmentTables } from './segment.ts';
import { type OpenDatabase, RowWriter } from './sqlite.ts';

/** Makes a segment with one index in it. */
export class SegmentWriter {
  readonly #database: Database;
  readonly #source: number;
  readonly #rows: Readonly<
    Record<'document' | 'content' | 'symbol' | 'text' | 'posting' | 'link', RowWriter>
  >;
  #documents = 0;

  constructor(file: string, source: number, open: OpenDatabase) {
    this.#database = createSegment(file, open);
    this.#source = source;
    const into = (table: string, width: number, after = '') =>
      new RowWriter(this.#database, `INSERT INTO ${table}`, width, after);
    this.#rows = {
      document: into('document', 5),
      content: into('content', 2),
      symbol: into(
        'symbol',
        6,
        'ON CONFLICT DO UPDATE SET kind = excluded.kind, defined = 1 WHERE excluded.defined = 1',
      ),
      text: into('documentation', 3, 'ON CONFLICT DO NOTHING'),
      posting: into('posting', 4),
      link: into('implementation', 3, 'ON CONFLICT DO NOTHING'),
    };
  }

  addDocument(document: NewDocument): void {
    const id = this.#documents++;
    const { path, language, hash, symbols } = document;
    this.#rows.document.add(id, this.#source, path, language, hash);
    this.#rows.content.add(id, encodeContent(document));
    for (const { key, occurrences } of symbols)
      this.#rows.posting.add(key, this.#source, id, encodeOccurrences(occurrences));
  }

  addSymbols(symbols: readonly NewSymbol[]): void {
    for (const { key, symbol, name, kind, documentation, isDefined, implements: targets } of symbols) {
      this.#rows.symbol.add(key, this.#source, symbol, name, kind, isDefined ? 1 : 0);
      if (documentation !== '') this.#rows.text.add(key, this.#source, documentation);
      for (const target of targets) this.#rows.link.add(target, this.#source, key);
    }
  }

  /** Completes the file, which can then be published. */
  end(): void {
    for (const rows of Object.values(this.#rows)) rows.end();
    endSegment(this.#database);
  }

  discard(): void {
    this.#database.close();
  }
}

/** Creates the file of a segment. It counts only when it is whole, so that no journal is needed. */
export function createSegment(file: string, open: OpenDatabase): Database {
  const database = open(file);
  database.exec(
    `PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
     PRAGMA cache_size = -${limits.index.importCache / 1024}; ${segmentTables} BEGIN`,
  );
  return database;
}

/** Completes the file of a segment. */
export function endSegment(database: Database): void {
  database.exec(`COMMIT; ${segmentIndexes}`);
  database.close();
}
