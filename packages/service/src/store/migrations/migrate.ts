import { type Kysely, sql } from 'kysely'
import type { Database, DatabaseKind } from '../database.ts'
import type { Schema } from '../schema.ts'
import { accountsKeysLedger } from './001-accounts-keys-ledger.ts'
import { people } from './002-people.ts'
import { claims } from './003-claims.ts'
import { ledgerBatches } from './004-ledger-batches.ts'
import type { Migration, Spelling } from './migration.ts'

const MIGRATIONS: readonly Migration[] = [accountsKeysLedger, people, claims, ledgerBatches]

/** Identifiers are never given out again (`autoincrement`): a ticket whose event was rolled up must not meet another. */
const SPELLINGS: { readonly [Kind in DatabaseKind]: Spelling } = {
  sqlite: { integer: 'integer', generatedId: 'integer primary key autoincrement', instant: 'date', boolean: 'integer' },
  postgres: {
    integer: 'bigint',
    generatedId: 'bigint generated always as identity primary key',
    instant: 'timestamptz',
    boolean: 'boolean',
  },
}

/** Any number that nobody else takes: names the lock that instances hold while they migrate. */
const MIGRATION_LOCK = 6_077_331

/**
 * Brings the schema up to date, all steps or none. Programs that start together wait for each other:
 * on SQLite by its one writer, on PostgreSQL by an advisory lock.
 * @throws Error when the schema is newer than this program
 */
export function migrate(database: Pick<Database, 'kind' | 'patiently'>): Promise<void> {
  return database.patiently((kysely) => kysely.transaction().execute((trx) => migrateIn(trx, database.kind)))
}

async function migrateIn(trx: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
  await sql`create table if not exists schema_migrations (number integer primary key)`.execute(trx)
  const done = await trx.selectFrom('schema_migrations').select('number').execute()
  const newest = Math.max(0, ...done.map((row) => row.number))
  if (newest > MIGRATIONS.length) throw new Error('it was written by a newer version of this program')
  for (const migration of MIGRATIONS) {
    if (migration.number <= newest) continue
    for (const statement of migration.statements(SPELLINGS[kind])) await sql.raw(statement).execute(trx)
    await trx.insertInto('schema_migrations').values({ number: migration.number }).execute()
  }
}
