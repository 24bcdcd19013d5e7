import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { FairSemaphore } from '../limits/fair-semaphore.ts'
import type { SqliteExecutor, SqliteValue } from './sqlite-thread-protocol.ts'

/**
 * Kysely over a remote connection. There is only one, and whoever uses it holds `mutex`, so that an interactive
 * transaction and a batch of the ledger never interleave. Code inside a transaction must therefore not wait for the
 * store.
 */
export class SqliteDialect implements Dialect {
  readonly #executor: () => SqliteExecutor
  readonly #mutex: FairSemaphore

  constructor(executor: () => SqliteExecutor, mutex: FairSemaphore) {
    this.#executor = executor
    this.#mutex = mutex
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#executor, this.#mutex)
  }
  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }
  createAdapter(): DialectAdapter {
    return new SqliteAdapter()
  }
  createIntrospector(kysely: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(kysely)
  }
}

class SqliteDriver implements Driver {
  readonly #executor: () => SqliteExecutor
  readonly #mutex: FairSemaphore
  readonly #releases = new WeakMap<DatabaseConnection, () => void>()

  constructor(executor: () => SqliteExecutor, mutex: FairSemaphore) {
    this.#executor = executor
    this.#mutex = mutex
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#mutex.acquire()
    const connection = new SqliteDatabaseConnection(this.#executor)
    this.#releases.set(connection, release)
    return connection
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#releases.get(connection)?.()
  }

  /** Immediate, so that what a transaction has read is still true when it writes. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
}

class SqliteDatabaseConnection implements DatabaseConnection {
  readonly #executor: () => SqliteExecutor

  constructor(executor: () => SqliteExecutor) {
    this.#executor = executor
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = compiled.parameters.map(sqliteValue)
    const { answer } = await this.#executor().ask({ kind: 'query', sql: compiled.sql, parameters }, 'queried')
    const unknownRows: readonly unknown[] = answer.rows
    // Kysely derives the type of a row from its query; the database itself cannot tell.
    const rows = unknownRows as R[]
    return { rows, numAffectedRows: BigInt(answer.changes), insertId: BigInt(answer.insertId) }
  }

  // biome-ignore lint/correctness/useYield: answers cross the thread whole, so there is nothing to stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite does not stream across threads')
  }
}

function sqliteValue(value: unknown): SqliteValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  if (value instanceof Date) return value.toISOString()
  throw new TypeError(`cannot bind a value of type ${typeof value} in SQLite`)
}
