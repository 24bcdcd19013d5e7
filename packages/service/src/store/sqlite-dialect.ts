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
import type { Lock } from './lock.ts'
import type { QueryAnswer, SqliteValue } from './sqlite-thread-protocol.ts'

type Query = (sql: string, parameters: readonly SqliteValue[]) => Promise<QueryAnswer>

/**
 * Kysely over the SQLite thread. There is one connection; whoever has it holds `lock` until it is given
 * back, so that an interactive transaction and a batch of the books never interleave. A transaction must
 * therefore not wait for the store inside.
 */
export class SqliteThreadDialect implements Dialect {
  readonly #query: Query
  readonly #lock: Lock

  constructor(query: Query, lock: Lock) {
    this.#query = query
    this.#lock = lock
  }

  createDriver(): Driver {
    return new SqliteThreadDriver(this.#query, this.#lock)
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

class SqliteThreadDriver implements Driver {
  readonly #query: Query
  readonly #lock: Lock
  readonly #releases = new WeakMap<DatabaseConnection, () => void>()

  constructor(query: Query, lock: Lock) {
    this.#query = query
    this.#lock = lock
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#lock.acquire()
    const connection = new SqliteThreadConnection(this.#query)
    this.#releases.set(connection, release)
    return connection
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#releases.get(connection)?.()
  }

  /** Immediate, so that what a transaction reads still holds when it writes. */
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

class SqliteThreadConnection implements DatabaseConnection {
  readonly #query: Query

  constructor(query: Query) {
    this.#query = query
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const answer: QueryAnswer & { rows: readonly unknown[] } = await this.#query(
      compiled.sql,
      compiled.parameters.map(sqliteValue),
    )
    // Kysely types a row by the query that asked for it; the database itself can't tell.
    const rows = answer.rows as R[]
    return { rows, numAffectedRows: BigInt(answer.changes), insertId: BigInt(answer.insertId) }
  }

  // biome-ignore lint/correctness/useYield: answers cross the thread whole, so there is nothing to stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the SQLite thread does not stream')
  }
}

function sqliteValue(value: unknown): SqliteValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Uint8Array) return value
  if (value instanceof Date) return value.toISOString()
  throw new TypeError(`SQLite can't be given ${typeof value}`)
}
