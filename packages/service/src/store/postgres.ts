import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Batch } from './batch.ts'
import { type Entry, findHolder, type Outcome } from './books.ts'
import { BadEntry, type Database } from './database.ts'
import type { Schema } from './schema.ts'
import { InstanceMemory } from './slots.ts'
import type { Statement, Steps } from './steps.ts'
import type { KeyHolder } from './store.ts'

/** Connections for whatever is not the books. */
const CONNECTIONS = 8
const CONNECT_MS = 5_000
/** A statement that takes longer is given up, so that a database that hangs fails and is not waited for for ever. */
const STATEMENT_MS = 30_000
/** A transaction that lost a deadlock is tried so often. */
const ATTEMPTS = 5

const BIGINT_OID = 20
const DEADLOCK = '40P01'
/** Follows from an earlier error of the same transaction, which is the one to tell. */
const TRANSACTION_ABORTED = '25P02'

/** Whole numbers as numbers: every one that the books hold is far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)),
}

/** Connects to a PostgreSQL that several instances may share. Rejects when there is none. */
export async function openPostgres(databaseUrl: string): Promise<Database> {
  const database = new PostgresDatabase(databaseUrl)
  try {
    await database.check()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

class PostgresDatabase implements Database {
  readonly kind = 'postgres'
  readonly kysely: Kysely<Schema>
  readonly #pool: pg.Pool
  /** The books have one connection, which sends its statements without waiting for the answers to earlier ones. */
  readonly #booksPool: pg.Pool
  readonly #memory = new InstanceMemory()

  constructor(connectionString: string) {
    const common = { connectionString, types, connectionTimeoutMillis: CONNECT_MS, statement_timeout: STATEMENT_MS }
    this.#pool = new pg.Pool({ ...common, max: CONNECTIONS })
    this.#booksPool = new pg.Pool({ ...common, max: 1, pipeline: true })
    // A connection that breaks fails the statements under way, or is replaced when it is next needed.
    for (const pool of [this.#pool, this.#booksPool]) {
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
    }
    this.kysely = new Kysely({ dialect: new PostgresDialect({ pool: this.#pool }) })
  }

  async check(): Promise<void> {
    await this.#pool.query('select 1')
  }

  findHolder(tokenHash: string): Promise<KeyHolder | undefined> {
    return play(this.#pool, findHolder(tokenHash))
  }

  async apply(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#applyOnce(entries)
      } catch (error) {
        if (codeOf(error) === DEADLOCK && attempt < ATTEMPTS) continue
        throw isValuesFault(error) ? new BadEntry(String(error)) : error
      }
    }
  }

  async #applyOnce(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const batch = new Batch(entries, this.#memory)
    const client = await this.#booksPool.connect()
    try {
      await client.query('begin')
      for (const phase of batch.phases()) await together(phase.map((steps) => play(client, steps)))
      await client.query('commit')
      client.release()
    } catch (error) {
      batch.giveBack()
      await rollBack(client)
      throw error
    }
    return batch.outcomes
  }

  async dropEndedWindows(at: number): Promise<void> {
    this.#memory.dropEnded(at)
  }

  /** PostgreSQL's own autovacuum does that in its time. */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    await this.#booksPool.end()
    await this.kysely.destroy()
  }
}

/** Ends a transaction that failed. If that fails too, the connection goes, and with it the transaction. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

/** Waits for all, also when one fails: none may go on after its transaction was given up. */
async function together(plays: readonly Promise<void>[]): Promise<void> {
  const errors: unknown[] = []
  for (const settled of await Promise.allSettled(plays)) if (settled.status === 'rejected') errors.push(settled.reason)
  if (errors.length > 0) throw errors.find((error) => codeOf(error) !== TRANSACTION_ABORTED) ?? errors[0]
}

async function play<Result>(connection: pg.Pool | pg.PoolClient, steps: Steps<Result>): Promise<Result> {
  let step = steps.next()
  while (!step.done) {
    const { statement, values } = step.value
    const { rows } = await connection.query({ name: statement.name, text: numbered(statement), values: [...values] })
    step = steps.next(rows)
  }
  return step.value
}

const numberedTexts = new Map<Statement, string>()

/** The statement with its placeholders as PostgreSQL writes them: $1, $2 … */
function numbered(statement: Statement): string {
  let text = numberedTexts.get(statement)
  if (text === undefined) {
    let count = 0
    text = statement.sql.replaceAll('?', () => `$${++count}`)
    numberedTexts.set(statement, text)
  }
  return text
}

/** SQLSTATE classes 22 and 23: data exception, integrity constraint violation. */
function isValuesFault(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
