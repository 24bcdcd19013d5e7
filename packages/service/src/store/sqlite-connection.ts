import { unreachable } from '@keepfirst/protocol'
import { FileIdentity } from './file-identity.ts'
import { BadEntry } from './ledger-driver.ts'
import { CORRUPT, NOT_A_DATABASE, resultCodeOf, type SqliteDatabase } from './sqlite-driver.ts'
import { SqliteLedger } from './sqlite-ledger.ts'
import type { QueryAnswer, SqliteValue, ThreadAnswer, ThreadRequest } from './sqlite-thread-protocol.ts'

/** Answers requests on one connection, synchronously. */
export class SqliteConnection {
  readonly #database: SqliteDatabase
  readonly #file: FileIdentity
  #ledger: SqliteLedger | undefined

  constructor(database: SqliteDatabase) {
    this.#database = database
    this.#file = new FileIdentity(database.location())
  }

  /** Errors are returned as answers, too. */
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
        return { kind: 'written', answer: this.#getLedger().write(JSON.parse(request.batch)) }
      case 'settle':
        return { kind: 'settled', answer: this.#getLedger().settle(request.batch) }
      case 'query':
        return { kind: 'queried', answer: this.#query(request.sql, request.parameters) }
      case 'close':
        this.#checkpointLog()
        this.#database.close()
        return { kind: 'done' }
      default:
        return unreachable(request)
    }
  }

  /**
   * A driver may release its files later than it says and leave deleted rows in the log. So the log is checkpointed
   * into the file first, and truncated unless someone is reading from it at this moment.
   */
  #checkpointLog(): void {
    try {
      this.#database.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
    } catch {
      // The content remains in the log, where the next connection reads it; a read-only connection could not checkpoint
      // anyway.
    }
  }

  /** Created on first use, because its statements require the migrated schema. */
  #getLedger(): SqliteLedger {
    this.#ledger ??= new SqliteLedger(this.#database, this.#file)
    return this.#ledger
  }

  #query(sql: string, parameters: readonly SqliteValue[]): QueryAnswer {
    if (!this.#database.isTransaction) this.#file.check()
    const statement = this.#database.prepare(sql)
    if (statement.columns().length > 0) return { rows: statement.all(...parameters), changes: 0, insertId: 0 }
    const { changes, lastInsertRowid } = statement.run(...parameters)
    return { rows: [], changes: Number(changes), insertId: Number(lastInsertRowid) }
  }
}

/** SQLite's result code for a violated constraint. */
const CONSTRAINT = 19

/** Errors are passed between threads as data, because a clone would lose their codes. */
export function failure(error: unknown): Extract<ThreadAnswer, { kind: 'failed' }> {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error), code: undefined, isBadEntry: false }
  const code = resultCodeOf(error)
  if (code === undefined) return { kind: 'failed', message: error.message, code, isBadEntry: isUnbindable(error) }
  const primary = code & 0xff // an extended code has the primary one in its lowest byte
  const isDamaged = primary === CORRUPT || primary === NOT_A_DATABASE
  const message = isDamaged ? `the database file is damaged, restore a backup: ${error.message}` : error.message
  return { kind: 'failed', message, code, isBadEntry: primary === CONSTRAINT }
}

/** The error in this program's own types. */
export function faultOf(error: unknown): BadEntry | SqliteFault {
  const { message, code, isBadEntry } = failure(error)
  return isBadEntry ? new BadEntry(message) : new SqliteFault(message, code)
}

/** A value of a kind or size that SQLite cannot store. */
function isUnbindable(error: Error): boolean {
  return error instanceof TypeError || error instanceof RangeError
}

/** A failure of SQLite; `code` is its result code. */
class SqliteFault extends Error {
  override readonly name = 'SqliteFault'
  readonly code: number | undefined

  constructor(message: string, code: number | undefined) {
    super(message)
    this.code = code
  }
}

/**
 * The answer, which must be of this kind.
 * @throws BadEntry when a value is to blame
 * @throws SqliteFault when SQLite failed otherwise
 * @throws Error when it is of another kind, which is a fault of this program
 */
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
