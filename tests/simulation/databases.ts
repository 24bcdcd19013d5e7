import type { Database } from '../../packages/service/src/store/database.ts'
import { migrate } from '../../packages/service/src/store/migrations/migrate.ts'
import { openPostgres } from '../../packages/service/src/store/postgres.ts'
import { DatabaseOverSqlite } from '../../packages/service/src/store/sqlite.ts'
import { openForWriting } from '../../packages/service/src/store/sqlite-driver.ts'
import { executeHere } from '../../packages/service/test/support/execute-here.ts'

/** An in-memory SQLite database with the current schema. */
export async function inMemory(): Promise<Database> {
  const handle = openForWriting(':memory:')
  const executor = executeHere(handle)
  const database = new DatabaseOverSqlite({ writer: executor, openReports: () => executor, openLookups: () => handle })
  await migrate(database)
  return database
}

/** A PostgreSQL database with the current schema. */
export async function onPostgres(url: string): Promise<Database> {
  const database = await openPostgres(url, { connections: 6, isPooled: false })
  await migrate(database)
  return database
}

const TABLES = [
  'usage_events',
  'usage_sums',
  'usage_days',
  'usage_months',
  'keyless_days',
  'ledger_batches',
  'api_keys',
  'accounts',
] as const

/** Deletes everything that an earlier world left. */
export async function empty({ kysely }: Database): Promise<void> {
  for (const table of TABLES) await kysely.deleteFrom(table).execute()
}
