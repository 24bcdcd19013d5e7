import type { PostgresPool } from 'kysely'
import pg from 'pg'
import type { PostgresHosts } from './postgres-hosts.ts'
import type { Row } from './row.ts'
import { sqlStateOf } from './sql-state.ts'
import { retryingConflicts } from './transaction.ts'

/** What connections are used for. The ledger comes first, since nothing can be charged without it. */
export type Purpose = 'ledger' | 'lookups' | 'reports' | 'rest'

export interface PostgresOptions {
  /** The total number of this instance's connections, at least 4. */
  readonly connections: number
  /** There is a pooler in transaction mode in between: no named statements, and timeouts are set on the role. */
  readonly isPooled: boolean
}

/** A statement; named ones are prepared once per connection. */
export interface PostgresStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Connections, and queries waiting for one. */
export interface ConnectionCounts {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** A statement was sent, and the connection ended or stopped responding before its answer arrived. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

const MAX_LEDGER_CONNECTIONS = 4
/**
 * How long to wait for a connection. Reports may wait for each other; charges should recover soon after the network
 * does.
 */
const CONNECT_MS: Readonly<Record<Purpose, number>> = { ledger: 2_500, lookups: 2_500, reports: 10_000, rest: 5_000 }
/**
 * The ledger and look-ups find a few rows by their indexes. PostgreSQL keeps the plan of a prepared statement, and one
 * made while a table was small would read the whole table each time after it has grown.
 */
const INDEXES_ONLY = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'
const PLANNER: Readonly<Partial<Record<Purpose, string>>> = { ledger: INDEXES_ONLY, lookups: INDEXES_ONLY }
/** When the server gives up, in milliseconds. */
export const TIMEOUTS = {
  statement_timeout: 4_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 5_000,
} as const
/** When the program gives up waiting for an answer, in case the server does not even report that it gave up. */
const ANSWER_MS = 5_000

/** Connections are renewed regularly, so that none outlives a failover for long. */
const LIFETIME_SECONDS = 600

const BIGINT_OID = 20
/** After a failover, a session on the former primary: it will never accept writes again. */
const READ_ONLY = '25006'

/** The server has ended the session, or crashed: what it was asked to commit may be written. Servers translate these. */
const LAST_WORDS: readonly (string | undefined)[] = ['FATAL', 'PANIC']
/** The same as an SQLSTATE: lost connections, shutdowns and crashes, session timeouts. */
const SESSION_ENDED = /^(?:08|57P|25P0[34])/

/** Integers as numbers: all stored ones are far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
}

/** The number of connections for each purpose. */
export function share(connections: number): Readonly<Record<Purpose, number>> {
  const ledger = Math.min(MAX_LEDGER_CONNECTIONS, Math.max(1, Math.floor(((connections - 2) * 3) / 4)))
  return { ledger, lookups: 1, reports: 1, rest: Math.max(1, connections - 2 - ledger) }
}

/**
 * Connections to one PostgreSQL database, separate for each purpose, so that none waits for another. Every wait is
 * bounded. A failed connection is dropped, and all older connections are considered failed too: they are replaced when
 * they are next needed.
 */
export class PostgresConnections {
  readonly concurrency: number
  readonly #hosts: PostgresHosts
  readonly #options: PostgresOptions
  readonly #pools: Readonly<Record<Purpose, pg.Pool>>
  /** The number of failures so far; each connection stores the number at its creation. */
  #failures = 0
  readonly #madeAfter = new WeakMap<pg.PoolClient, number>()

  constructor(hosts: PostgresHosts, options: PostgresOptions, Pool: typeof pg.Pool = pg.Pool) {
    const shares = share(options.connections)
    this.concurrency = shares.ledger
    this.#hosts = hosts
    this.#options = options
    const several = hosts.count > 1 ? { Client: postgresClientOf(hosts), verify: verifyWritable } : {}
    const pool = (purpose: Purpose): pg.Pool => {
      const made = new Pool({
        connectionString: hosts.current,
        types,
        application_name: `keepfirst ${purpose}`,
        max: shares[purpose],
        min: purpose === 'ledger' ? 1 : 0,
        connectionTimeoutMillis: CONNECT_MS[purpose],
        maxLifetimeSeconds: LIFETIME_SECONDS,
        keepAlive: true,
        query_timeout: ANSWER_MS,
        pipeline: true, // with it, a query that is not answered in time ends its connection
        ...(options.isPooled ? {} : { ...TIMEOUTS, options: PLANNER[purpose] }), // a pooler rejects such settings
        ...several,
      })
      // A broken connection fails its current statement, or is replaced when it is next needed.
      made.on('error', () => {})
      made.on('connect', (client) => {
        client.on('error', () => {})
        this.#madeAfter.set(client, this.#failures)
      })
      return made
    }
    this.#pools = { ledger: pool('ledger'), lookups: pool('lookups'), reports: pool('reports'), rest: pool('rest') }
  }

  /**
   * Runs one statement in its own transaction, repeating it after a conflict with another transaction. Look-ups are also
   * repeated, once, if the connection is lost.
   * @throws pg.DatabaseError when PostgreSQL rejected it; nothing was written
   * @throws ConnectionLost when it was sent and no answer came
   * @throws Error when it could not be sent
   */
  async run(purpose: Purpose, { name, text, values }: PostgresStatement): Promise<readonly Row[]> {
    const statement = this.#options.isPooled ? { text } : { name, text }
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#acquire(purpose)
      try {
        const { rows } = await retryingConflicts(() => client.query({ ...statement, values: [...values] }))
        client.release()
        return rows
      } catch (error) {
        client.release(this.#hasFailed(error))
        const isAnswer = isFromLivingSession(error)
        // Neither can have written anything. A new connection may succeed.
        const isHarmless = sqlStateOf(error) === READ_ONLY || (purpose === 'lookups' && !isAnswer)
        if (isHarmless && attempt === 1) continue
        if (isAnswer) throw error
        throw new ConnectionLost('the connection to PostgreSQL was lost', { cause: error })
      }
    }
  }

  /**
   * Connections for Kysely, which acquires and releases them itself. Callers must handle conflicts between their
   * transactions.
   */
  poolFor(purpose: Purpose): PostgresPool {
    return { connect: async () => retrying(await this.#acquire(purpose)), end: async () => {} }
  }

  /** Connections for all purposes together. */
  get counts(): ConnectionCounts {
    const counts = { used: 0, idle: 0, waiting: 0 }
    for (const { totalCount, idleCount, waitingCount } of Object.values(this.#pools)) {
      counts.used += totalCount - idleCount
      counts.idle += idleCount
      counts.waiting += waitingCount
    }
    return counts
  }

  async close(): Promise<void> {
    for (const pool of Object.values(this.#pools)) await pool.end()
  }

  async #acquire(purpose: Purpose): Promise<pg.PoolClient> {
    for (let tries = 1; ; ) {
      const address = this.#hosts.current
      try {
        const client = await this.#pools[purpose].connect()
        if (this.#madeAfter.get(client) === this.#failures) return client
        client.release(true)
      } catch (error) {
        this.#hosts.failed(address)
        if (tries === this.#hosts.count) throw error
        tries += 1
      }
    }
  }

  /** Whether the connection has to be dropped, along with all older ones. */
  #hasFailed(error: unknown): boolean {
    const isAnswer = isFromLivingSession(error) && sqlStateOf(error) !== READ_ONLY
    if (!isAnswer) this.#failures += 1
    return !isAnswer
  }
}

/** Whether it is the server's answer to a statement, after which the session continues. */
function isFromLivingSession(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  return !LAST_WORDS.includes(error.severity) && !SESSION_ENDED.test(error.code ?? '')
}

/** A client that repeats statements outside transactions after conflicts. */
function retrying(client: pg.PoolClient): pg.PoolClient {
  const isAlone = (): boolean => client.getTransactionStatus() === 'I'
  const query = (...args: readonly unknown[]) =>
    retryingConflicts(() => Reflect.apply(client.query, client, args), isAlone)
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)) })
}

/** Clients that connect to whichever server is current at that moment. */
function postgresClientOf(hosts: PostgresHosts): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: hosts.current })
    }
  }
}

/** Accepts a new connection only if its server accepts writes, which standbys do not. */
function verifyWritable(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query('show transaction_read_only')
    .then(
      ({ rows: [row] }) => done(row?.transaction_read_only === 'on' ? new Error('the server is read-only') : undefined),
      done,
    )
}
