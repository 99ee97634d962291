/**
 * The steps by which the schema came to be, the oldest first; a step is never changed once it was released. Only what
 * engines that speak PostgreSQL's language have in common: tables, indexes, and row-level security.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    'CREATE TABLE lspan.member (tenant text NOT NULL, role text NOT NULL, PRIMARY KEY (tenant, role))',
    'CREATE TABLE lspan.repository (tenant text NOT NULL, name text NOT NULL, PRIMARY KEY (tenant, name))',
    `CREATE TABLE lspan.source (id bigint PRIMARY KEY, tenant text NOT NULL, repository text NOT NULL,
      commit_id text NOT NULL, added timestamptz NOT NULL, tool text NOT NULL, documents bigint NOT NULL,
      occurrences bigint NOT NULL, unverified bigint NOT NULL)`,
    'CREATE INDEX source_repository ON lspan.source (tenant, repository)',
    `CREATE TABLE lspan.document (source bigint NOT NULL, id bigint NOT NULL, tenant text NOT NULL, path text NOT NULL,
      language text NOT NULL, hash text NOT NULL, content bytea NOT NULL, PRIMARY KEY (source, id))`,
    'CREATE INDEX document_path ON lspan.document (source, path)',
    `CREATE TABLE lspan.symbol (key bigint NOT NULL, source bigint NOT NULL, symbol text NOT NULL, tenant text NOT NULL,
      name text NOT NULL, lower_name text COLLATE "C" NOT NULL, kind text NOT NULL, documentation text NOT NULL,
      defined boolean NOT NULL, PRIMARY KEY (key, source, symbol))`,
    'CREATE INDEX symbol_name ON lspan.symbol (lower_name, key)',
    'CREATE INDEX symbol_source ON lspan.symbol (source)',
    `CREATE TABLE lspan.posting (key bigint NOT NULL, source bigint NOT NULL, document bigint NOT NULL,
      tenant text NOT NULL, places bytea NOT NULL, PRIMARY KEY (key, source, document))`,
    'CREATE INDEX posting_source ON lspan.posting (source)',
    `CREATE TABLE lspan.implementation (target bigint NOT NULL, source bigint NOT NULL, key bigint NOT NULL,
      tenant text NOT NULL, PRIMARY KEY (target, source, key))`,
    'CREATE INDEX implementation_source ON lspan.implementation (source)',
    ...['repository', 'source', 'document', 'symbol', 'posting', 'implementation'].flatMap((table) => [
      `ALTER TABLE lspan.${table} ENABLE ROW LEVEL SECURITY`,
      `ALTER TABLE lspan.${table} FORCE ROW LEVEL SECURITY`,
      `CREATE POLICY own_tenants ON lspan.${table}
        USING (tenant IN (SELECT tenant FROM lspan.member WHERE role = current_user))
        WITH CHECK (tenant IN (SELECT tenant FROM lspan.member WHERE role = current_user))`,
    ]),
  ],
];

/** The questions, which a test explains: each must use an index of the database. */
export const postgresQueries = {
  list: `SELECT id, repository, commit_id, added, tool, documents, occurrences, unverified FROM lspan.source
    ORDER BY repository, tool`,
  postings: `SELECT p.key, p.source, p.document, p.places, d.path, d.language, d.hash
    FROM lspan.posting p JOIN lspan.document d ON d.source = p.source AND d.id = p.document
    WHERE p.key = ANY($1::bigint[]) LIMIT $2`,
  symbols: `SELECT key, source, symbol, name, kind, documentation, defined FROM lspan.symbol
    WHERE key = ANY($1::bigint[])`,
  named: `SELECT key, source, symbol, name, kind, '' AS documentation, defined FROM lspan.symbol
    WHERE lower_name >= $1 AND lower_name < $2 AND defined
    ORDER BY lower_name, key LIMIT $3`,
  implementers: 'SELECT DISTINCT key FROM lspan.implementation WHERE target = ANY($1::bigint[])',
  document: 'SELECT id, source, path, language, hash FROM lspan.document WHERE source = $1 AND path = $2',
  documents: 'SELECT id, source, path, language, hash FROM lspan.document WHERE source = $1 ORDER BY path',
  content: 'SELECT content FROM lspan.document WHERE source = $1 AND id = $2',
} as const;
