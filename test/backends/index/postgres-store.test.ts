import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresQueries } from '../../../src/backends/index/store/postgres-schema.ts';
import { openPostgresStore } from '../../../src/backends/index/store/postgres-store.ts';
import { add } from './adding.ts';
import { missingPostgres, type StartedPostgres, startPostgres } from './started-postgres.ts';
import { keyOf, placesOf, storeCases } from './store-cases.ts';
import { indexWords } from './write-scip.ts';

const title = `the store in PostgreSQL${missingPostgres && ` (skipped: ${missingPostgres})`}`;

describe.skipIf(missingPostgres !== '')(title, () => {
  let server: StartedPostgres;
  beforeAll(async () => {
    server = await startPostgres();
    server.run('CREATE ROLE ci LOGIN; CREATE ROLE agent LOGIN; CREATE ROLE stranger LOGIN;');
  });
  afterAll(() => server.stop());

  const newDatabase = (owner = 'ci'): string => {
    const name = `d${randomUUID().replaceAll('-', '')}`;
    server.run(`CREATE DATABASE ${name} OWNER ${owner}`);
    return name;
  };

  storeCases(async () => {
    const database = newDatabase();
    // The first to write makes the tables.
    const first = await openPostgresStore(server.address('ci', database), '');
    await (await first.write({ repository: 'x', commit: '' })).discard();
    await first.close();
    return () => openPostgresStore(server.address('ci', database), '');
  });

  it('IDX-12 shows a tenant its own rows, and lets nobody write those of another', async () => {
    const database = newDatabase();
    const ci = await openPostgresStore(server.address('ci', database), 'shop');
    await add(ci, indexWords({ 'a.txt': 'function alpha' }));
    server.run(
      `GRANT USAGE ON SCHEMA lspan TO agent, stranger;
       GRANT SELECT ON ALL TABLES IN SCHEMA lspan TO agent, stranger;
       GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA lspan TO stranger;
       REVOKE INSERT, UPDATE, DELETE ON lspan.member FROM stranger;
       INSERT INTO lspan.member VALUES ('shop', 'agent'), ('other', 'stranger')`,
      database,
    );
    const agent = await openPostgresStore(server.address('agent', database), '');
    expect(placesOf(await agent.postings([keyOf('alpha')], 9))).toHaveLength(1);
    await expect(add(agent, indexWords({ 'a.txt': 'function alpha' }))).rejects.toThrow(/permission denied/);
    const stranger = await openPostgresStore(server.address('stranger', database), '');
    expect(await stranger.list()).toEqual([]);
    expect(await stranger.postings([keyOf('alpha')], 9)).toEqual([]);
    await add(stranger, indexWords({ 'b.txt': 'function alpha' }));
    expect((await stranger.list()).map(({ repository }) => repository)).toEqual(['here']);
    expect(placesOf(await agent.postings([keyOf('alpha')], 9))).toEqual(['a.txt 0:9-0:14 defined']);
    const foreign = await openPostgresStore(server.address('stranger', database), 'shop');
    const sql = connect(server, 'stranger', database);
    const forged = sql.unsafe("INSERT INTO lspan.repository VALUES ('shop', 'x')");
    await expect(forged).rejects.toThrow(/row-level security/);
    await expect(
      add(await openPostgresStore(server.address('stranger', database), 'shop'), indexWords({ 'a.txt': '' })),
    ).rejects.toThrow(/no such tenant/);
    await Promise.all([ci, agent, stranger, foreign].map((one) => one.close()));
    await sql.end();
  });

  it('IDX-13 answers every question by an index of the database', async () => {
    const database = newDatabase();
    const store = await openPostgresStore(server.address('ci', database), '');
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `${at}.txt`,
        `function w${at}\nfunction v${at} w${(at * 7) % 300}`,
      ]),
    );
    for (const repository of ['a', 'b', 'c', 'd']) await add(store, indexWords(files), { repository });
    const sql = connect(server, 'ci', database);
    const [{ id } = { id: 0 }] = await store.list();
    // As many rows as a planner needs to prefer an index: it reads small tables whole.
    server.run(
      `INSERT INTO lspan.implementation SELECT n, ${id}, n + 1, 'ci' FROM generate_series(1, 20000) n;
       INSERT INTO lspan.document
         SELECT n % 100, n, 'ci', n || '.txt', '', '', '' FROM generate_series(1, 20000) n;
       INSERT INTO lspan.source
         SELECT n, 'ci', 'r' || n, '', now(), '', 0, 0, 0 FROM generate_series(1, 20000) n`,
      database,
    );
    await sql.unsafe('ANALYZE');
    const values: Readonly<Record<keyof typeof postgresQueries, (string | number)[]>> = {
      list: [],
      postings: [`{${keyOf('w7')}}`, 100],
      symbols: [`{${keyOf('w7')}}`],
      named: ['w7', 'w8', 10],
      implementers: [`{${keyOf('w7')}}`],
      document: [id, '7.txt'],
      documents: [id],
      content: [id, 7],
    };
    for (const [name, query] of Object.entries(postgresQueries)) {
      const given = values[name as keyof typeof values];
      const plan = await sql.unsafe(`EXPLAIN ${query}`, given);
      const told = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
      // The list is all rows of one table.
      if (name === 'list') expect(told).not.toMatch(/Join|Loop/);
      else expect(told, name).toMatch(/Index/);
      expect(told.replaceAll('Seq Scan on member', ''), name).not.toMatch(
        /Seq Scan on (posting|symbol|document|implementation)/,
      );
    }
    await Promise.all([store.close(), sql.end()]);
  });

  it('says what to do about a database that is not there, is empty, or is of a newer lspan', async () => {
    const none = await openPostgresStore(server.address('ci', 'nothing'), '');
    await expect(none.list()).rejects.toMatchObject({
      code: 'server_crashed',
      nextStep: expect.stringContaining('index.store'),
    });
    const database = newDatabase();
    const empty = await openPostgresStore(server.address('ci', database), '');
    await expect(empty.list()).rejects.toMatchObject({
      code: 'not_found',
      nextStep: 'Add one: lspan index add FILE.scip',
    });
    await add(empty, indexWords({ 'a.txt': 'function alpha' }));
    server.run('INSERT INTO lspan.migration VALUES (99, now())', database);
    const newer = await openPostgresStore(server.address('ci', database), '');
    await expect(newer.list()).rejects.toThrow(/newer lspan/);
    await expect(newer.write({ repository: 'x', commit: '' })).rejects.toThrow(/newer lspan/);
    await Promise.all([none.close(), empty.close(), newer.close()]);
  });

  it('IDX-02 still serves the old index after the database was killed in the middle of an import', async () => {
    const database = newDatabase();
    const address = server.address('ci', database);
    const store = await openPostgresStore(address, '');
    await add(store, indexWords({ 'a.txt': 'function alpha' }));
    const writer = await store.write({ repository: 'here', commit: 'f00' });
    const occurrences = [{ startLine: 0, startColumn: 0, endLine: 0, endColumn: 5, isDefinition: true }];
    const write = async () => {
      for (let at = 0; at < 3_000; at++) {
        const symbols = [{ key: keyOf('alpha'), occurrences }];
        await writer.addDocument({
          path: `${at}.txt`,
          language: '',
          hash: '',
          text: undefined,
          symbols,
          locals: [],
        });
      }
    };
    await write();
    await server.kill();
    await expect(
      writer.publish({ tool: 'words 1', documents: 3_000, occurrences: 3_000, unverified: 0 }),
    ).rejects.toThrow();
    await writer.discard();
    await server.start();
    const again = await openPostgresStore(address, '');
    expect(placesOf(await again.postings([keyOf('alpha')], 9_999))).toEqual(['a.txt 0:9-0:14 defined']);
    await add(again, indexWords({ 'b.txt': 'function alpha' }));
    expect(placesOf(await again.postings([keyOf('alpha')], 9_999))).toEqual(['b.txt 0:9-0:14 defined']);
    await Promise.all([store.close(), again.close()]);
  });
});

function connect({ sockets }: StartedPostgres, user: string, database: string) {
  return postgres({ host: sockets, user, database });
}
