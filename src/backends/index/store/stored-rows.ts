import { type StoredDocument, type StoredSymbol, storedKind } from './index-store.ts';

/** One row of a database's answer. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Returns a field as a number, a text, a large number or bytes. */
export const column = {
  number: (row: StoredRow, name: string): number => Number(row[name] ?? 0),
  text: (row: StoredRow, name: string): string => String(row[name] ?? ''),
  key: (row: StoredRow, name: string): bigint => {
    const value = row[name];
    return typeof value === 'bigint' ? value : BigInt(String(value ?? 0));
  },
  bytes: (row: StoredRow, name: string): Uint8Array => {
    const value = row[name];
    return value instanceof Uint8Array ? value : new Uint8Array();
  },
};

/** Reads a document, whose fields have the same names in every database. */
export function toDocument(row: StoredRow): StoredDocument {
  return {
    index: column.number(row, 'source'),
    id: column.number(row, 'id'),
    path: column.text(row, 'path'),
    language: column.text(row, 'language'),
    hash: column.text(row, 'hash'),
  };
}

/** Reads a symbol. A database without truth values writes 1. */
export function toSymbol(row: StoredRow): StoredSymbol {
  return {
    index: column.number(row, 'source'),
    key: column.key(row, 'key'),
    symbol: column.text(row, 'symbol'),
    name: column.text(row, 'name'),
    kind: storedKind(column.text(row, 'kind')),
    documentation: column.text(row, 'documentation'),
    isDefined: column.number(row, 'defined') === 1,
  };
}
