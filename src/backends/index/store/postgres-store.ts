import type postgres from 'postgres';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type {
  IndexStore,
  IndexWriter,
  Posting,
  StoredDocument,
  StoredIndex,
  StoredSymbol,
  SymbolKey,
} from './index-store.ts';
import { decodeContent, decodeOccurrences } from './occurrence-codec.ts';
import { migrate, otherVersion, tenantOf, versionOf } from './postgres-migrate.ts';
import { migrations, postgresQueries } from './postgres-schema.ts';
import { beginTransaction, explained } from './postgres-transaction.ts';
import { keyArray, PostgresWriter, removeSources, toIndex } from './postgres-writer.ts';
import { column, type StoredRow, toDocument, toSymbol } from './stored-rows.ts';

/** Opens a store in a PostgreSQL database. The client is loaded when it is first needed; nothing is connected yet. */
export async function openPostgresStore(address: string, tenant: string): Promise<IndexStore> {
  const { default: connect } = await import('postgres');
  const { url, socket } = readAddress(address);
  const sql = connect(url, {
    ...socket,
    max: limits.index.connections,
    connect_timeout: limits.index.connect / 1000,
    idle_timeout: limits.index.idle / 1000,
    connection: { application_name: 'lspan', statement_timeout: limits.index.statement },
    onnotice: () => {},
  });
  return new PostgresStore(sql, tenant);
}

/** Takes the folder of a socket out of an address: `?host=/run/postgresql`, as other clients of PostgreSQL have it. */
function readAddress(address: string): { readonly url: string; readonly socket: { readonly host?: string } } {
  if (!URL.canParse(address))
    throw new LspanError('invalid_input', 'The address of the database of indexes is not one.', {
      nextStep: 'Write it as postgres://user@host/database in LSPAN_INDEX_STORE or index.store.',
    });
  const url = new URL(address);
  const host = url.searchParams.get('host') ?? '';
  url.searchParams.delete('host');
  return { url: url.href, socket: host === '' ? {} : { host } };
}

/** Indexes in a database that a team shares. Each import is one transaction: others see the old index until its end. */
class PostgresStore implements IndexStore {
  readonly #sql: postgres.Sql;
  readonly #tenant: string;
  #isReady = false;

  constructor(sql: postgres.Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  get place(): string {
    const { host, port, database } = this.#sql.options;
    return `postgres://${host.join()}:${port.join()}/${database}`;
  }

  async list(): Promise<readonly StoredIndex[]> {
    return (await this.#all('list', [])).map(toIndex);
  }

  async write({ repository, commit }: Pick<StoredIndex, 'repository' | 'commit'>): Promise<IndexWriter> {
    await migrate(this.#sql, this.#tenant).catch(explained);
    const tenant = await tenantOf(this.#sql, this.#tenant).catch(explained);
    await this.#sql
      .unsafe('INSERT INTO lspan.repository VALUES ($1, $2) ON CONFLICT DO NOTHING', [tenant, repository])
      .catch(explained);
    const transaction = await beginTransaction(this.#sql).catch(explained);
    // An import takes as long as it takes.
    await transaction.run('SET LOCAL statement_timeout = 0', []).catch(explained);
    return new PostgresWriter(transaction, { repository, commit, tenant });
  }

  async remove(repository: string): Promise<number> {
    await this.#prepare();
    const removed = await this.#sql
      .begin(async (sql) => {
        const found = await sql.unsafe('SELECT id FROM lspan.source WHERE repository = $1', [repository]);
        await removeSources(
          (query, values) => sql.unsafe(query, values),
          found.map((row) => column.key(row, 'id')),
        );
        return found.length;
      })
      .catch(explained);
    return removed;
  }

  async postings(keys: readonly SymbolKey[], most: number): Promise<readonly Posting[]> {
    const rows = await this.#all('postings', [keyArray(keys), most]);
    return rows.map((row) => ({
      key: column.key(row, 'key'),
      document: { ...toDocument(row), id: column.number(row, 'document') },
      occurrences: decodeOccurrences(column.bytes(row, 'places')),
    }));
  }

  async symbols(keys: readonly SymbolKey[]): Promise<readonly StoredSymbol[]> {
    return (await this.#all('symbols', [keyArray(keys)])).map(toSymbol);
  }

  async named(start: string, most: number): Promise<readonly StoredSymbol[]> {
    const from = start.toLowerCase();
    return (await this.#all('named', [from, `${from}\u{10ffff}`, most])).map(toSymbol);
  }

  async implementers(keys: readonly SymbolKey[]): Promise<readonly SymbolKey[]> {
    return (await this.#all('implementers', [keyArray(keys)])).map((row) => column.key(row, 'key'));
  }

  async document(index: number, path: string): Promise<StoredDocument | undefined> {
    return (await this.#all('document', [index, path])).map(toDocument)[0];
  }

  async documents(index: number): Promise<readonly StoredDocument[]> {
    return (await this.#all('documents', [index])).map(toDocument);
  }

  async content({ index, id }: StoredDocument) {
    const [row] = await this.#all('content', [index, id]);
    return row && decodeContent(column.bytes(row, 'content'));
  }

  async verify(): Promise<readonly string[]> {
    await this.#prepare();
    const wrong = await this.#sql
      .unsafe(
        `SELECT s.repository FROM lspan.source s
          WHERE s.documents <> (SELECT count(*) FROM lspan.document d WHERE d.source = s.id)`,
      )
      .catch(explained);
    return wrong.map((row) => `${column.text(row, 'repository')}: documents are missing.`);
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: limits.index.closing / 1000 });
  }

  async #all(
    name: keyof typeof postgresQueries,
    values: (string | number | string[])[],
  ): Promise<readonly StoredRow[]> {
    await this.#prepare();
    return this.#sql
      .unsafe(postgresQueries[name], values, { prepare: this.#sql.options.prepare })
      .catch(explained);
  }

  /** Throws if the database has no indexes of this lspan's form. A reader never changes it. */
  async #prepare(): Promise<void> {
    if (this.#isReady) return;
    const version = await versionOf(this.#sql).catch(explained);
    if (version !== migrations.length) throw otherVersion(version);
    this.#isReady = true;
  }
}
