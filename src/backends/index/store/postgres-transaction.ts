import type postgres from 'postgres';
import { LspanError } from '../../../core/errors.ts';
import type { StoredRow } from './stored-rows.ts';

/** A transaction that lasts over several calls. */
export interface Transaction {
  readonly run: RunQuery;
  commit(): Promise<void>;
  /** Does not fail: the database does the same when the connection is lost. */
  rollBack(): Promise<void>;
}

/** Runs one statement. */
export type RunQuery = (query: string, values: (string | number)[]) => Promise<readonly StoredRow[]>;

/** Begins a transaction on a connection of its own. */
export function beginTransaction(sql: postgres.Sql): Promise<Transaction> {
  return new Promise((opened, failed) => {
    let [end, lost]: [(isKept: boolean) => void, unknown] = [() => {}, undefined];
    const isKept = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const done = sql
      .begin(async (own) => {
        const { prepare } = sql.options;
        opened({
          // After the connection was lost, nothing may be sent on it.
          run: (query, values) =>
            lost === undefined ? own.unsafe(query, values, { prepare }) : Promise.reject(lost),
          commit: () => {
            end(true);
            return done;
          },
          rollBack: () => {
            if (lost === undefined) end(false);
            return done.catch(() => {});
          },
        });
        if (!(await isKept)) throw new LspanError('cancelled', 'The import was given up.');
      })
      .then(() => {});
    done.catch((error: unknown) => {
      lost = error;
      failed(error);
    });
  });
}

/** Throws an error that says what the database said. The address, which may hold a password, is in none. */
export function explained(cause: unknown): never {
  if (cause instanceof LspanError) throw cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new LspanError('server_crashed', `The database of indexes did not answer: ${why}`, {
    nextStep: 'Check that it runs, and LSPAN_INDEX_STORE or index.store.',
    cause,
  });
}
