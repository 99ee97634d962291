import type postgres from 'postgres';
import { LspanError } from '../../../core/errors.ts';
import { migrations } from './postgres-schema.ts';
import { explained } from './postgres-transaction.ts';
import { column } from './stored-rows.ts';

/** Returns how many migrations the database has; 0 if it has no indexes yet. */
export async function versionOf(sql: Pick<postgres.Sql, 'unsafe'>): Promise<number> {
  const [known] = await sql.unsafe("SELECT to_regclass('lspan.migration') IS NOT NULL AS known");
  if (!known?.known) return 0;
  const [row] = await sql.unsafe('SELECT max(version) AS version FROM lspan.migration');
  return column.number(row ?? {}, 'version');
}

/** Brings the schema up to date. Only an importer does so, and only its owner may; two at once wait for each other. */
export async function migrate(sql: postgres.Sql, tenant: string): Promise<void> {
  if ((await versionOf(sql)) === migrations.length) return;
  await sql.begin(async (run) => {
    await run.unsafe('CREATE SCHEMA IF NOT EXISTS lspan');
    await run.unsafe(
      'CREATE TABLE IF NOT EXISTS lspan.migration (version int PRIMARY KEY, applied timestamptz NOT NULL)',
    );
    await run.unsafe('LOCK TABLE lspan.migration IN ACCESS EXCLUSIVE MODE');
    const version = await versionOf(run);
    if (version > migrations.length) throw otherVersion(version);
    for (const [at, steps] of migrations.entries()) {
      if (at < version) continue;
      for (const step of steps) await run.unsafe(step);
      await run.unsafe('INSERT INTO lspan.migration VALUES ($1, now())', [at + 1]);
    }
    const first = tenant || 'default';
    await run.unsafe('INSERT INTO lspan.member VALUES ($1, current_user) ON CONFLICT DO NOTHING', [first]);
  });
}

/** Returns the tenant under which a role writes: the configured one, or the only one that it is a member of. */
export async function tenantOf(sql: Pick<postgres.Sql, 'unsafe'>, wanted: string): Promise<string> {
  const rows = await sql
    .unsafe('SELECT tenant FROM lspan.member WHERE role = current_user ORDER BY tenant')
    .catch(explained);
  const own = rows.map((row) => column.text(row, 'tenant'));
  const [first, ...more] = wanted === '' ? own : own.filter((one) => one === wanted);
  if (first !== undefined && more.length === 0) return first;
  const what =
    first === undefined
      ? 'The role of this connection is a member of no such tenant.'
      : 'It is a member of several tenants.';
  throw new LspanError('refused', what, {
    nextStep: 'Set index.tenant, and have the owner of the database add the role to lspan.member.',
  });
}

/** Returns the error about a database of another version. */
export function otherVersion(version: number): LspanError {
  const [message, nextStep] =
    version === 0
      ? ['The database has no indexes of lspan.', 'Add one: lspan index add FILE.scip']
      : version > migrations.length
        ? ['A newer lspan has changed the database of indexes.', 'Update lspan.']
        : ['The database of indexes is of an older lspan.', 'Have its owner add an index with this version.'];
  return new LspanError(version === 0 ? 'not_found' : 'refused', message, { nextStep });
}
