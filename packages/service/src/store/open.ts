import { BrokenPipe, UserError } from '@keepfirst/cli/errors'
import type { Kysely } from 'kysely'
import { DATABASE_CONNECTIONS } from '../config.ts'
import { createStore, type StoreOptions } from './create-store.ts'
import type { Database, DatabaseKind } from './database.ts'
import type { RandomBytes } from './identifiers.ts'
import { migrate } from './migrations/migrate.ts'
import type { ConnectionCounts, PostgresOptions } from './postgres-connections.ts'
import { addressesOf } from './postgres-hosts.ts'
import type { Schema } from './schema.ts'
import type { Store } from './store.ts'

/** An open, migrated database. Closing `store` closes everything. */
export interface OpenDatabase {
  readonly store: Store
  readonly kind: DatabaseKind
  /** For other tables in the same database. Code inside a transaction must not wait for `store`. */
  readonly kysely: Kysely<Schema>
  /** Read-only, with the connection for reports, which nobody else waits for. */
  readonly reports: Kysely<Schema>
  /** Undefined if there is no connection pool. */
  connections(): ConnectionCounts | undefined
}

/** Settings of a database besides its address. */
export interface OpenOptions extends Omit<StoreOptions, 'randomBytes'> {
  /** The total number of this instance's connections to PostgreSQL. */
  readonly connections?: number
  /** PostgreSQL is behind a pooler in transaction mode. */
  readonly isPooled?: boolean
}

/**
 * Opens `sqlite:PATH` (created if it does not exist) or `postgres://…` and migrates it.
 * @throws UserError when it cannot be opened, with one line that says why, without the address's password
 */
export async function openDatabase(
  databaseUrl: string,
  randomBytes: RandomBytes,
  { connections = DATABASE_CONNECTIONS, isPooled = false, ...options }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { name, open } = locate(databaseUrl, { connections, isPooled })
  let database: Database | undefined
  try {
    database = await open()
    await migrate(database)
    const opened = database
    const { kind, kysely, reports } = opened
    const store = createStore(opened, { randomBytes, ...options })
    return { store, kind, kysely, reports, connections: () => opened.connections }
  } catch (error) {
    await database?.close()
    throw new UserError(`cannot open the database ${name}: ${reason(error)}`, { cause: error })
  }
}

/** What JavaScript itself throws: our own mistakes, whatever the database does. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError]

/**
 * Explains in one line why work on an open database failed.
 * @param error the value that was thrown
 * @returns a `UserError`, or `error` itself if the database is not to blame
 */
export function explainFailure(error: unknown): unknown {
  const isOther = [UserError, BrokenPipe, ...MISTAKES].some((kind) => error instanceof kind)
  return isOther ? error : new UserError(`the database failed: ${reason(error)}`, { cause: error })
}

/** How to open a database: each kind loads its own driver, which takes a while. */
function locate(
  databaseUrl: string,
  options: PostgresOptions,
): { readonly name: string; readonly open: () => Promise<Database> } {
  if (databaseUrl.startsWith('sqlite:')) {
    const path = databaseUrl.slice('sqlite:'.length)
    if (path !== '') return { name: path, open: async () => (await import('./sqlite.ts')).openSqlite(path) }
  }
  const addresses = addressesOf(databaseUrl)
  const servers = addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address))
  const isComplete = servers.length === addresses.length && !servers.some(isCutShort)
  if (/^postgres(ql)?:\/\//.test(databaseUrl) && isComplete) {
    return {
      name: `${servers.map(({ host }) => host).join()}${servers[0]?.pathname}`,
      open: async () => (await import('./postgres.ts')).openPostgres(databaseUrl, options),
    }
  }
  throw new UserError(
    'a database is sqlite:PATH or postgres://… (in a password, write %2F for /, %3F for ? and %23 for #)',
  )
}

/** Whether an `@` follows the host: a `/`, `?` or `#` in the password has ended it, and a part would be printed. */
function isCutShort({ pathname, search, hash }: URL): boolean {
  return pathname.includes('@') || /^[^=]*@/.test(search) || hash.includes('@')
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Several addresses were tried, each with its own error.
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  const [line] = error.message.split('\n')
  return line === undefined || line === '' ? error.name : line
}
