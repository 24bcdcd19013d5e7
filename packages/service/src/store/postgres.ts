import { codeOf } from '@keepfirst/cli/errors'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, PartitionMaintenance } from './database.ts'
import { maintainPartitions } from './event-partitions.ts'
import { type FindHolder, findHoldersBy, HOLDERS } from './find-holder.ts'
import {
  AnswerLost,
  BadEntry,
  type BatchAnswer,
  Contended,
  type LedgerBatch,
  type LedgerDriver,
} from './ledger-driver.ts'
import {
  type ConnectionCounts,
  ConnectionLost,
  PostgresConnections,
  type PostgresOptions,
  type PostgresStatement,
  TIMEOUTS,
} from './postgres-connections.ts'
import { PostgresHosts } from './postgres-hosts.ts'
import { batchStatement, settleStatement } from './postgres-ledger.ts'
import type { Schema } from './schema.ts'
import { sqlStateOf } from './sql-state.ts'

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Connects to a PostgreSQL database that several instances may share.
 * @throws Error when it cannot be reached, or is not suitable
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<Database> {
  const hosts = new PostgresHosts(databaseUrl)
  const connections = new PostgresConnections(hosts, options)
  try {
    await check(connections, options)
  } catch (error) {
    await connections.close()
    throw UNTRUSTED.includes(codeOf(error) ?? '') ? untrusted(error) : error
  }
  return new PostgresDatabase(hosts, connections)
}

/** Node.js's codes for a certificate from an unknown issuer. */
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

function untrusted(cause: unknown): Error {
  const advice =
    'add sslrootcert=FILE with its issuer to the address, or sslmode=no-verify to encrypt without verification'
  return new Error(`its certificate is not signed by a known authority: ${advice}`, { cause })
}

class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly ledger: LedgerDriver
  readonly kysely: Kysely<Schema>
  readonly reports: Kysely<Schema>
  readonly findHolder: FindHolder
  readonly #hosts: PostgresHosts
  readonly #connections: PostgresConnections

  constructor(hosts: PostgresHosts, connections: PostgresConnections) {
    this.#hosts = hosts
    this.#connections = connections
    this.ledger = new PostgresLedgerDriver(connections)
    this.kysely = new Kysely({ dialect: new PostgresDialect({ pool: connections.poolFor('rest') }) })
    this.reports = new Kysely({ dialect: new PostgresDialect({ pool: connections.poolFor('reports') }) })
    const text = `${HOLDERS} and k.hash = any($1::text[])`
    this.findHolder = findHoldersBy((hashes) => {
      return connections.run('lookups', { name: 'find holders', text, values: [hashes] })
    })
  }

  get connections(): ConnectionCounts {
    return this.#connections.counts
  }

  async withoutTimeout<Result>(work: (kysely: Kysely<Schema>) => Promise<Result>): Promise<Result> {
    const pool = new pg.Pool({
      connectionString: this.#hosts.current,
      application_name: 'keepfirst migrations',
      max: 1,
    })
    pool.on('error', () => {})
    const kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
    try {
      return await work(kysely)
    } finally {
      await kysely.destroy()
    }
  }

  maintainPartitions(options: PartitionMaintenance): Promise<void> {
    return maintainPartitions(this.kysely, (work) => this.withoutTimeout(work), options)
  }

  /** PostgreSQL's autovacuum does this eventually. */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    await this.kysely.destroy()
    await this.reports.destroy()
    await this.#connections.close()
  }
}

class PostgresLedgerDriver implements LedgerDriver {
  readonly concurrency: number
  readonly #connections: PostgresConnections

  constructor(connections: PostgresConnections) {
    this.#connections = connections
    this.concurrency = connections.concurrency
  }

  async write(batch: LedgerBatch): Promise<BatchAnswer> {
    const answer = await this.#run(batchStatement(batch))
    if (answer === undefined) throw new Error('PostgreSQL left a batch without an answer')
    return answer
  }

  async settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'> {
    return (await this.#run(settleStatement(batch))) ?? 'never'
  }

  async #run(statement: PostgresStatement): Promise<BatchAnswer | undefined> {
    try {
      const [row] = await this.#connections.run('ledger', statement)
      return typeof row?.answer === 'string' ? JSON.parse(row.answer) : undefined
    } catch (error) {
      if (error instanceof ConnectionLost) throw new AnswerLost(error.message, { cause: error.cause })
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) throw new Contended(String(error))
      throw isValuesFault(error) ? new BadEntry(String(error)) : error
    }
  }
}

/** SQLSTATE classes 22 and 23: data exception, integrity constraint violation. */
function isValuesFault(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? '')
}

/** @throws Error when the ledger cannot rely on this database */
async function check(connections: PostgresConnections, { isPooled }: PostgresOptions): Promise<void> {
  const names = ['server_encoding', ...Object.keys(TIMEOUTS)]
  const text = 'select name, setting from pg_settings where name = any($1::text[])'
  const rows = await connections.run('ledger', { name: 'settings', text, values: [names] })
  const settings = new Map(rows.map(({ name, setting }) => [String(name), String(setting)]))
  const encoding = settings.get('server_encoding')
  if (encoding !== 'UTF8') {
    throw new Error(`its encoding is ${encoding}, not UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)`)
  }
  const missing = Object.entries(TIMEOUTS).filter(([name]) => settings.get(name) === '0')
  if (isPooled && missing.length > 0) {
    const advice = missing.map(([name, ms]) => `ALTER ROLE … SET ${name} = ${ms}`).join('; ')
    throw new Error(`behind a pooler its timeouts must be set on the role: ${advice}`)
  }
}
