import type { Database } from 'node-sqlite3-wasm';
import type { PublishedFiles } from '../../../platform/large-files/published-files.ts';
import { createSegment, endSegment } from './segment-writer.ts';
import type { OpenDatabase } from './sqlite.ts';

interface Merge {
  readonly draft: string;
  readonly names: readonly string[];
  /** The ids of the indexes that still count. */
  readonly sources: readonly number[];
}

/** Makes one segment of several, without the rows of indexes that do not count any more. */
export function mergeSegments(files: PublishedFiles, merge: Merge, open: OpenDatabase): void {
  const database = createSegment(merge.draft, open);
  database.exec('COMMIT');
  attachAll(files, database, merge.names, 0);
  database.exec('BEGIN');
  database.exec('CREATE TEMP TABLE live (source INTEGER PRIMARY KEY)');
  for (const source of merge.sources) database.run('INSERT INTO temp.live VALUES (?)', [source]);
  const parts = merge.names.map((_, index) => `part${index}`);
  for (const [index, part] of parts.entries()) copyDocuments(database, part, index);
  for (const { table, columns } of sorted) database.exec(joinSql(table, columns, parts));
  database.exec('DROP TABLE temp.live');
  endSegment(database);
}

/** Attached files stay open when their own names are gone. */
function attachAll(files: PublishedFiles, database: Database, names: readonly string[], from: number): void {
  const name = names[from];
  if (name === undefined) return;
  files.withOwnName(name, (file) => {
    database.run(`ATTACH ? AS part${from}`, [file]);
    database.exec(`PRAGMA part${from}.locking_mode = EXCLUSIVE`);
    database.get(`SELECT 1 FROM part${from}.sqlite_master`);
  });
  attachAll(files, database, names, from + 1);
}

/** Documents are numbered anew: each part gets a range of its own. */
function copyDocuments(database: Database, part: string, index: number): void {
  const next = database.get('SELECT coalesce(max(id), -1) + 1 AS next FROM main.document');
  const offset = Number(next?.next ?? 0);
  database.run('CREATE TEMP TABLE IF NOT EXISTS shift (part INTEGER PRIMARY KEY, offset INTEGER)');
  database.run('INSERT INTO temp.shift VALUES (?, ?)', [index, offset]);
  database.exec(
    `INSERT INTO main.document SELECT id + ${offset}, source, path, language, hash FROM ${part}.document
       WHERE source IN (SELECT source FROM temp.live) ORDER BY id;
     INSERT INTO main.content SELECT c.document + ${offset}, c.bytes FROM ${part}.content c
       JOIN ${part}.document d ON d.id = c.document WHERE d.source IN (SELECT source FROM temp.live) ORDER BY c.document`,
  );
}

const sorted: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  { table: 'symbol', columns: ['key', 'source', 'symbol', 'name', 'kind', 'defined'] },
  { table: 'documentation', columns: ['key', 'source', 'text'] },
  { table: 'posting', columns: ['key', 'source', 'document', 'places'] },
  { table: 'implementation', columns: ['target', 'source', 'key'] },
];

/** Each part is in order, and no index is in two parts: SQLite merges them as it reads, without sorting. */
function joinSql(table: string, columns: readonly string[], parts: readonly string[]): string {
  const selects = parts.map((part, index) => {
    const shifted = columns.map((column) =>
      column === 'document'
        ? `document + (SELECT offset FROM temp.shift WHERE part = ${index}) AS document`
        : column,
    );
    return `SELECT ${shifted.join()} FROM ${part}.${table} WHERE source IN (SELECT source FROM temp.live)`;
  });
  return `INSERT INTO main.${table} ${selects.join(' UNION ALL ')} ORDER BY 1, 2`;
}
