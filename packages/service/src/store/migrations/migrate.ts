import { type Kysely, sql } from 'kysely'
import type { Database, DatabaseKind } from '../database.ts'
import type { Schema, SchemaMigrationsTable } from '../schema.ts'
import { sqlStateOf } from '../sql-state.ts'
import { retryingConflicts } from '../transaction.ts'
import { accountsKeysLedger } from './001-accounts-keys-ledger.ts'
import { users } from './002-users.ts'
import { claims } from './003-claims.ts'
import { ledgerBatches } from './004-ledger-batches.ts'
import { oldestPrograms } from './005-oldest-programs.ts'
import { eventsByDay } from './006-events-by-day.ts'
import { runningTotals } from './007-running-totals.ts'
import type { Migration, SqlTypes } from './migration.ts'

const MIGRATIONS: readonly Migration[] = [
  accountsKeysLedger,
  users,
  claims,
  ledgerBatches,
  oldestPrograms,
  eventsByDay,
  runningTotals,
]

const SQL_TYPES: { readonly [Kind in DatabaseKind]: SqlTypes } = {
  sqlite: {
    kind: 'sqlite',
    integer: 'integer',
    generatedId: 'integer primary key autoincrement',
    instant: 'date',
    boolean: 'integer',
  },
  postgres: {
    kind: 'postgres',
    integer: 'bigint',
    generatedId: 'bigint generated always as identity primary key',
    instant: 'timestamptz',
    boolean: 'boolean',
  },
}

/** An arbitrary number that identifies the lock that instances hold while they migrate. */
const MIGRATION_LOCK = 6_077_331

/** SQLSTATE: the role lacks the permission. */
const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Migrates the schema, all steps or none. Programs that start at the same time wait for each other: on SQLite because
 * of its single writer, on PostgreSQL because of an advisory lock. A schema that is current, or newer and still
 * supports this program, is only read.
 * @throws Error when the schema is too new for this program, or too old and the role may not change it
 */
export async function migrate(database: Pick<Database, 'kind' | 'withoutTimeout'>): Promise<void> {
  try {
    await database.withoutTimeout((kysely) =>
      retryingConflicts(() => {
        // After waiting for the lock, the transaction must see what others did in the meantime; stricter levels would
        // show the earlier state.
        const transaction = kysely.transaction().setIsolationLevel('read committed')
        return transaction.execute((trx) => migrateIn(trx, database.kind))
      }),
    )
  } catch (error) {
    if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error
    const advice = 'run "keepfirst migrate" with the role that owns it'
    throw new Error(`its schema is older than this program, and this role may not change it: ${advice}`, {
      cause: error,
    })
  }
}

async function migrateIn(trx: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
  const done = await stepsDone(trx, kind)
  const newest = Math.max(0, ...done.map((step) => step.number))
  const oldestProgram = Math.max(0, ...done.map((step) => step.oldest_program ?? step.number))
  if (newest > MIGRATIONS.length && oldestProgram > MIGRATIONS.length) {
    throw new Error('it was written by a newer version of this program')
  }
  if (newest === 0) await sql`create table schema_migrations (number integer primary key)`.execute(trx)
  for (const { number, oldestProgram, statements } of MIGRATIONS) {
    if (number <= newest) continue
    for (const statement of statements(SQL_TYPES[kind])) await sql.raw(statement).execute(trx)
    const step = number < oldestPrograms.number ? { number } : { number, oldest_program: oldestProgram }
    await trx.insertInto('schema_migrations').values(step).execute()
  }
}

/** The steps that the schema has gone through; none if there is no schema yet. */
async function stepsDone(trx: Kysely<Schema>, kind: DatabaseKind): Promise<readonly SchemaMigrationsTable[]> {
  const table = 'schema_migrations'
  const { rows } =
    kind === 'postgres'
      ? await sql`select 1 where to_regclass(${table}) is not null`.execute(trx)
      : await sql`select 1 from sqlite_master where name = ${table}`.execute(trx)
  return rows.length === 0 ? [] : await trx.selectFrom(table).selectAll().execute()
}
