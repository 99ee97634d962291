import type { Database } from 'node-sqlite3-wasm';
import { limits } from '../../../core/limits.ts';
import type { NewDocument, NewSymbol } from './index-store.ts';
import { encodeContent, encodeOccurrences } from './occurrence-codec.ts';
import { segmentIndexes, segmentTables } from './segment.ts';
import { type OpenDatabase, RowWriter } from './sqlite.ts';

/** Makes a segment with one index in it. */
export class SegmentWriter {
  readonly #database: Database;
  readonly #rows: Readonly<
    Record<'document' | 'content' | 'symbol' | 'text' | 'posting' | 'link', RowWriter>
  >;
  readonly #symbols = new Map<string, NewSymbol>();
  #documents = 0;

  constructor(file: string, source: number, open: OpenDatabase) {
    this.#database = createSegment(file, open);
    // Whatever is bound costs as much as the rest of a small row.
    const into = (table: string, row: readonly (number | '?')[], after?: string) =>
      new RowWriter(this.#database, `INSERT INTO ${table}`, row, {
        isOrdered: after !== undefined,
        ...(after ? { after } : {}),
      });
    this.#rows = {
      document: into('document', ['?', source, '?', '?', '?']),
      content: into('content', ['?', '?']),
      symbol: into(
        'symbol',
        ['?', source, '?', '?', '?', '?'],
        'ON CONFLICT DO UPDATE SET kind = excluded.kind, defined = 1 WHERE excluded.defined = 1',
      ),
      text: into('documentation', ['?', source, '?'], 'ON CONFLICT DO NOTHING'),
      posting: into('posting', ['?', source, '?', '?'], ''),
      link: into('implementation', ['?', source, '?'], 'ON CONFLICT DO NOTHING'),
    };
  }

  addDocument(document: NewDocument): void {
    const id = this.#documents++;
    const { path, language, hash, symbols } = document;
    this.#rows.document.add(id, path, language, hash);
    this.#rows.content.add(id, encodeContent(document));
    for (const { key, occurrences } of symbols)
      this.#rows.posting.add(key, id, encodeOccurrences(occurrences));
  }

  /** Of one symbol, what defines it counts; most are mentioned before they are described. */
  addSymbols(symbols: readonly NewSymbol[]): void {
    for (const one of symbols) {
      const before = this.#symbols.get(one.symbol);
      const documentation = one.documentation || (before?.documentation ?? '');
      const counts = before === undefined || one.isDefined ? one : before;
      if (counts === one || documentation !== before?.documentation)
        this.#symbols.set(one.symbol, { ...counts, documentation });
      for (const target of one.implements) this.#rows.link.add(target, one.key);
    }
    if (this.#symbols.size >= limits.index.ordered) this.#writeSymbols();
  }

  #writeSymbols(): void {
    for (const { key, symbol, name, kind, documentation, isDefined } of this.#symbols.values()) {
      this.#rows.symbol.add(key, symbol, name, kind, isDefined ? 1 : 0);
      if (documentation !== '') this.#rows.text.add(key, documentation);
    }
    this.#symbols.clear();
  }

  /** Completes the file, which can then be published. */
  end(): void {
    this.#writeSymbols();
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
