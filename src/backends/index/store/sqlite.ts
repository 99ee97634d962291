import type { Database, JSValue, Statement } from 'node-sqlite3-wasm';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { bundledPackage, sqlitePackage } from '../../../platform/files/own-home.ts';

/** Opens databases. The module is loaded when an index is first used: nobody else pays for it. */
export type OpenDatabase = (file: string, options?: { readonly readOnly?: boolean }) => Database;

/** Loads SQLite, which is WebAssembly: nothing is compiled when lspan is installed. */
export async function loadSqlite(): Promise<OpenDatabase> {
  const loaded = (bundledPackage(sqlitePackage) as Sqlite | undefined) ?? (await importSqlite()).default;
  return (file, { readOnly = false } = {}) =>
    new loaded.Database(file, { readOnly, fileMustExist: readOnly });
}

type Sqlite = typeof import('node-sqlite3-wasm');

function importSqlite() {
  return import('node-sqlite3-wasm').catch((cause: unknown) => {
    throw new LspanError('not_installed', 'The package node-sqlite3-wasm, which keeps indexes, is missing.', {
      nextStep: 'Install lspan with its dependencies, or set index.store to a PostgreSQL database.',
      cause,
    });
  });
}

/** Runs a statement for many rows, several at a time: each step into WebAssembly costs as much as a row. */
export class RowWriter {
  readonly #database: Database;
  readonly #sql: (rows: number) => string;
  readonly #many: Statement;
  readonly #width: number;
  #waiting: JSValue[] = [];

  /** @param table What is inserted, without its values: `INSERT INTO posting`. */
  constructor(database: Database, insert: string, width: number, after = '') {
    const row = `(${Array.from({ length: width }, () => '?').join()})`;
    this.#sql = (rows) => `${insert} VALUES ${Array.from({ length: rows }, () => row).join()} ${after}`;
    this.#database = database;
    this.#width = width;
    this.#many = database.prepare(this.#sql(limits.index.rows));
  }

  add(...row: readonly JSValue[]): void {
    this.#waiting.push(...row);
    if (this.#waiting.length < this.#width * limits.index.rows) return;
    this.#many.run(this.#waiting);
    this.#waiting = [];
  }

  end(): void {
    if (this.#waiting.length > 0)
      this.#database.run(this.#sql(this.#waiting.length / this.#width), this.#waiting);
    this.#waiting = [];
    this.#many.finalize();
  }
}
