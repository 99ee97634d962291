import type { Database, JSValue, Statement } from 'node-sqlite3-wasm';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { bundledPackage, installedPackage, sqlitePackage } from '../../../platform/files/own-home.ts';

/** Opens databases. The module is loaded when an index is first used: nobody else pays for it. */
export type OpenDatabase = (file: string, options?: { readonly readOnly?: boolean }) => Database;

/** Loads SQLite, which is WebAssembly: nothing is compiled when lspan is installed. */
export async function loadSqlite(): Promise<OpenDatabase> {
  const found = bundledPackage(sqlitePackage) ?? installedPackage(sqlitePackage);
  const loaded = (found as Sqlite | undefined) ?? (await importSqlite()).default;
  return (file, { readOnly = false } = {}) =>
    new loaded.Database(file, { readOnly, fileMustExist: readOnly });
}

type Sqlite = typeof import('node-sqlite3-wasm');

/** A program that lspan was bundled into may have the package in itself. */
function importSqlite() {
  return import('node-sqlite3-wasm').catch((cause: unknown) => {
    throw new LspanError('not_installed', 'The package node-sqlite3-wasm, which keeps indexes, is missing.', {
      nextStep: 'Install lspan with its dependencies, or set index.store to a PostgreSQL database.',
      cause,
    });
  });
}

/** A row to be written; in a table that is ordered by keys, the first value is the key. */
type Row = readonly JSValue[];

/**
 * Inserts many rows, several at a time: each step into WebAssembly costs as much as a row. Rows of a table that is ordered by keys
 * wait until there are many, and come in that order: a tree that grows at its end is written once.
 */
export class RowWriter {
  readonly #database: Database;
  readonly #sql: (rows: number) => string;
  readonly #many: Statement;
  readonly #isOrdered: boolean;
  #waiting: Row[] = [];

  /**
   * @param insert What is inserted, without its values: `INSERT INTO posting`.
   * @param row The values of one row: `?` for what is given, the same for all rows otherwise.
   */
  constructor(
    database: Database,
    insert: string,
    row: readonly (number | '?')[],
    { after = '', isOrdered = false }: { readonly after?: string; readonly isOrdered?: boolean } = {},
  ) {
    const values = `(${row.join()})`;
    this.#sql = (rows) => `${insert} VALUES ${Array.from({ length: rows }, () => values).join()} ${after}`;
    this.#database = database;
    this.#isOrdered = isOrdered;
    this.#many = database.prepare(this.#sql(limits.index.rows));
  }

  add(...row: Row): void {
    this.#waiting.push(row);
    if (this.#waiting.length >= (this.#isOrdered ? limits.index.ordered : limits.index.rows)) this.#write();
  }

  end(): void {
    this.#write();
    this.#many.finalize();
  }

  #write(): void {
    const rows = this.#isOrdered ? inOrderOfKeys(this.#waiting) : this.#waiting;
    this.#waiting = [];
    const values: JSValue[] = [];
    for (const row of rows) {
      for (const value of row) values.push(value);
      if (values.length < limits.index.rows * row.length) continue;
      this.#many.run(values);
      values.length = 0;
    }
    if (values.length > 0) this.#database.run(this.#sql(rows.length % limits.index.rows), values);
  }
}

/** Numbers are compared faster than keys of 64 bits, and that neighbours may change places does no harm. */
function inOrderOfKeys(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => ({ key: Number(row[0]), row }));
  return keyed.sort((a, b) => a.key - b.key).map(({ row }) => row);
}
