import { unreachable } from '@keepfirst/protocol'
import Sqlite from 'better-sqlite3'
import { FileIdentity } from './file-identity.ts'
import { BadEntry } from './ledger-driver.ts'
import { SqliteLedger } from './sqlite-ledger.ts'
import type {
  QueryAnswer,
  Row,
  SqliteExecutor,
  SqliteValue,
  ThreadAnswer,
  ThreadRequest,
} from './sqlite-thread-protocol.ts'

/** How long a transaction of another process is waited for. */
const BUSY_MS = 4_000

/** Opens a file that exists for reading alone. */
export function openForReading(path: string, busyMs: number = BUSY_MS): Sqlite.Database {
  return new Sqlite(path, { timeout: busyMs, readonly: true, fileMustExist: true })
}

/** Opens a file for reading and writing, in the modes on which the ledger relies. */
export function openForWriting(path: string): Sqlite.Database {
  const database = new Sqlite(path, { timeout: BUSY_MS })
  database.pragma('journal_mode = WAL')
  // Durable at every commit: an answered admission survives a power cut.
  database.pragma('synchronous = FULL')
  // What is deleted is gone from the file too: hashes of network addresses do not outlive their day.
  database.pragma('secure_delete = ON')
  database.pragma('foreign_keys = ON')
  return database
}

/** Answers requests on one connection, without a pause. */
export class SqliteConnection {
  readonly #database: Sqlite.Database
  readonly #file: FileIdentity
  #ledger: SqliteLedger | undefined

  constructor(database: Sqlite.Database) {
    this.#database = database
    this.#file = new FileIdentity(database.name)
  }

  /** Faults are answers as well. */
  answer(request: ThreadRequest): ThreadAnswer {
    try {
      return this.#answer(request)
    } catch (error) {
      return failure(error)
    }
  }

  #answer(request: ThreadRequest): ThreadAnswer {
    switch (request.kind) {
      case 'write':
        return { kind: 'written', answer: this.#ledgerOf().write(JSON.parse(request.batch)) }
      case 'settle':
        return { kind: 'settled', answer: this.#ledgerOf().settle(request.batch) }
      case 'query':
        return { kind: 'queried', answer: this.#query(request.sql, request.parameters) }
      case 'close':
        this.#database.close()
        return { kind: 'done' }
      default:
        return unreachable(request)
    }
  }

  /** Made when it is first needed: its statements want the schema that migrations make. */
  #ledgerOf(): SqliteLedger {
    this.#ledger ??= new SqliteLedger(this.#database, this.#file)
    return this.#ledger
  }

  #query(sql: string, parameters: readonly SqliteValue[]): QueryAnswer {
    if (!this.#database.inTransaction) this.#file.check()
    const statement = this.#database.prepare<SqliteValue[], Row>(sql)
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0, insertId: 0 }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], changes, insertId: Number(lastInsertRowid) }
  }
}

/** A connection in this very thread, for tests and simulations; `close` leaves the handle to who opened it. */
export function executeHere(database: Sqlite.Database): SqliteExecutor {
  const connection = new SqliteConnection(database)
  return {
    ask: async (request, kind) => expectAnswer(connection.answer(request), kind),
    close: async () => {},
  }
}

/** Errors cross threads as data: a clone would lose their codes. */
export function failure(error: unknown): Extract<ThreadAnswer, { kind: 'failed' }> {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error), code: undefined, isBadEntry: false }
  const code = error instanceof Sqlite.SqliteError ? error.code : undefined
  const isBadEntry = error instanceof TypeError || error instanceof RangeError || code?.startsWith('SQLITE_CONSTRAINT')
  return { kind: 'failed', message: error.message, code, isBadEntry: isBadEntry === true }
}

/** What SQLite could not do; `code` is its name for the reason. */
export class SqliteFault extends Error {
  override readonly name = 'SqliteFault'
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** @throws BadEntry, SqliteFault */
export function expectAnswer<Kind extends ThreadAnswer['kind']>(
  answer: ThreadAnswer,
  kind: Kind,
): Extract<ThreadAnswer, { kind: Kind }> {
  if (isOf(answer, kind)) return answer
  if (answer.kind !== 'failed') throw new Error(`SQLite answered '${answer.kind}' instead of '${kind}'`)
  throw answer.isBadEntry ? new BadEntry(answer.message) : new SqliteFault(answer.message, answer.code)
}

function isOf<Kind extends ThreadAnswer['kind']>(
  answer: ThreadAnswer,
  kind: Kind,
): answer is Extract<ThreadAnswer, { kind: Kind }> {
  return answer.kind === kind
}
