import { randomInt } from 'node:crypto';
import { limits } from '../../../core/limits.ts';
import {
  type IndexWriter,
  isReplacedBy,
  type NewDocument,
  type NewSymbol,
  type StoredIndex,
} from './index-store.ts';
import { encodeContent, encodeOccurrences } from './occurrence-codec.ts';
import { explained, type RunQuery, type Transaction } from './postgres-transaction.ts';
import { column, type StoredRow } from './stored-rows.ts';

interface Written {
  readonly repository: string;
  readonly commit: string;
  readonly tenant: string;
}

/** Writes one index within a transaction of its own connection. */
export class PostgresWriter implements IndexWriter {
  readonly #transaction: Transaction;
  readonly #index: Written;
  readonly #id = randomInt(2 ** 48 - 1);
  #documents = 0;
  #waiting: Readonly<Record<'document' | 'symbol' | 'posting' | 'link', unknown[][]>> = emptyRows();

  constructor(transaction: Transaction, index: Written) {
    this.#transaction = transaction;
    this.#index = index;
  }

  async addDocument(document: NewDocument): Promise<void> {
    const id = this.#documents++;
    const { tenant } = this.#index;
    const { path, language, hash, symbols } = document;
    const content = encodeContent(document);
    this.#waiting.document.push([this.#id, id, tenant, path, language, hash, content]);
    for (const { key, occurrences } of symbols)
      this.#waiting.posting.push([String(key), this.#id, id, tenant, encodeOccurrences(occurrences)]);
    await this.#flush(limits.index.sentAtOnce);
  }

  async addSymbols(symbols: readonly NewSymbol[]): Promise<void> {
    const { tenant } = this.#index;
    for (const { key, symbol, name, kind, documentation, isDefined, implements: targets } of symbols) {
      const own = [String(key), this.#id, symbol, tenant];
      this.#waiting.symbol.push([
        ...own,
        plain(name),
        plain(name).toLowerCase(),
        kind,
        plain(documentation),
        isDefined,
      ]);
      for (const target of targets) this.#waiting.link.push([String(target), this.#id, String(key), tenant]);
    }
    await this.#flush(limits.index.sentAtOnce);
  }

  async publish(
    facts: Pick<StoredIndex, 'tool' | 'documents' | 'occurrences' | 'unverified'>,
  ): Promise<StoredIndex> {
    await this.#flush(0);
    const { repository, commit, tenant } = this.#index;
    const added = { id: this.#id, repository, commit, time: new Date().toISOString(), ...facts };
    // Another importer of the same repository waits here, and then replaces this index.
    const own = [tenant, repository];
    await this.#run('SELECT 1 FROM lspan.repository WHERE tenant = $1 AND name = $2 FOR UPDATE', own);
    const before = await this.#run('SELECT * FROM lspan.source WHERE repository = $1 AND tenant = $2', [
      repository,
      tenant,
    ]);
    const old = before.map(toIndex).filter((one) => isReplacedBy(one, added));
    await removeSources(
      (query, values) => this.#run(query, values),
      old.map(({ id }) => BigInt(id)),
    );
    await this.#run('INSERT INTO lspan.source VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      ...[added.id, tenant, repository, commit, added.time, facts.tool],
      ...[facts.documents, facts.occurrences, facts.unverified],
    ]);
    await this.#transaction.commit().catch(explained);
    return added;
  }

  discard(): Promise<void> {
    return this.#transaction.rollBack();
  }

  async #flush(most: number): Promise<void> {
    if (Object.values(this.#waiting).every((rows) => rows.length <= most)) return;
    const { document, symbol, posting, link } = this.#waiting;
    this.#waiting = emptyRows();
    await this.#insert('document', documentTypes, document, '');
    await this.#insert('symbol', symbolTypes, distinct(symbol), upsert);
    await this.#insert('posting', postingTypes, posting, '');
    await this.#insert('implementation', linkTypes, link, 'ON CONFLICT DO NOTHING');
  }

  /** Sends columns instead of rows: one statement for thousands of them. */
  async #insert(
    table: string,
    types: readonly string[],
    rows: readonly unknown[][],
    after: string,
  ): Promise<void> {
    for (let from = 0; from < rows.length; from += limits.index.sentAtOnce) {
      const some = rows.slice(from, from + limits.index.sentAtOnce);
      const columns = types.map((type, at) =>
        arrayText(
          some.map((row) => row[at]),
          type,
        ),
      );
      const unnested = types.map((type, at) => `$${at + 1}::${type}[]`).join();
      await this.#run(`INSERT INTO lspan.${table} SELECT * FROM unnest(${unnested}) ${after}`, columns);
    }
  }

  #run(query: string, values: (string | number)[]): Promise<readonly StoredRow[]> {
    return this.#transaction.run(query, values).catch(explained);
  }
}

function emptyRows() {
  return { document: [], symbol: [], posting: [], link: [] };
}

const documentTypes = ['bigint', 'bigint', 'text', 'text', 'text', 'text', 'bytea'];
const symbolTypes = ['bigint', 'bigint', 'text', 'text', 'text', 'text', 'text', 'text', 'boolean'];
const postingTypes = ['bigint', 'bigint', 'bigint', 'text', 'bytea'];
const linkTypes = ['bigint', 'bigint', 'bigint', 'text'];

const upsert = `ON CONFLICT (key, source, symbol) DO UPDATE
  SET kind = CASE WHEN excluded.defined THEN excluded.kind ELSE symbol.kind END,
    documentation = CASE WHEN excluded.documentation = '' THEN symbol.documentation ELSE excluded.documentation END,
    defined = symbol.defined OR excluded.defined
  WHERE excluded.defined OR excluded.documentation <> ''`;

/** Of one symbol in a statement, what defines it counts. */
function distinct(rows: readonly unknown[][]): unknown[][] {
  const known = new Map<unknown, unknown[]>();
  for (const row of rows) {
    const before = known.get(row[2]);
    const counts = !before || row[8] === true ? row : before;
    known.set(row[2], before ? counts.with(7, row[7] || before[7]) : row);
  }
  return [...known.values()];
}

/** Writes an array in PostgreSQL's own form, which every client sends as it is. */
function arrayText(values: readonly unknown[], type: string): string {
  const each = values.map((value) => {
    if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
    return type === 'text' ? `"${plain(String(value)).replace(/["\\]/g, '\\$&')}"` : String(value);
  });
  return `{${each.join()}}`;
}

/** PostgreSQL has no NUL in texts. */
function plain(text: string): string {
  return text.replaceAll('\0', '');
}

/** Removes all rows of some indexes. */
export async function removeSources(run: RunQuery, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['posting', 'symbol', 'implementation', 'document'])
    await run(`DELETE FROM lspan.${table} WHERE source = ANY($1::bigint[])`, [keyArray(ids)]);
  await run('DELETE FROM lspan.source WHERE id = ANY($1::bigint[])', [keyArray(ids)]);
}

/** Writes keys as an array of PostgreSQL. */
export function keyArray(keys: readonly bigint[]): string {
  return `{${keys.join()}}`;
}

/** Converts a row of the indexes. */
export function toIndex(row: StoredRow): StoredIndex {
  return {
    id: column.number(row, 'id'),
    repository: column.text(row, 'repository'),
    commit: column.text(row, 'commit_id'),
    time: row.added instanceof Date ? row.added.toISOString() : column.text(row, 'added'),
    tool: column.text(row, 'tool'),
    documents: column.number(row, 'documents'),
    occurrences: column.number(row, 'occurrences'),
    unverified: column.number(row, 'unverified'),
  };
}
