import { parentPort, workerData } from 'node:worker_threads'
import { unreachable } from '@keepfirst/protocol'
import Sqlite from 'better-sqlite3'
import { Batch } from './batch.ts'
import { type Entry, findHolder, type Outcome } from './books.ts'
import { InstanceMemory } from './slots.ts'
import type { SqliteValue, ThreadAnswer, ThreadData, ThreadRequest } from './sqlite-thread-protocol.ts'
import type { Row, Statement, Steps } from './steps.ts'

/*
 * The thread in which SQLite lives, so that the event loop never waits for the disk. It is the one
 * writer of this process; other processes (the operator's commands) take their turns through the file's lock.
 */

/** How long a transaction of another process is waited for. */
const BUSY_MS = 10_000

class SqliteThread {
  readonly #database: Sqlite.Database
  readonly #prepared = new Map<string, Sqlite.Statement<SqliteValue[], Row>>()
  readonly #memory = new InstanceMemory()

  constructor({ path }: ThreadData) {
    this.#database = new Sqlite(path, { timeout: BUSY_MS })
    this.#database.pragma('journal_mode = WAL')
    // Durable at every commit: an answered admission survives a power cut.
    this.#database.pragma('synchronous = FULL')
    // What is deleted is gone from the file too: hashes of network addresses do not outlive their day.
    this.#database.pragma('secure_delete = ON')
    this.#database.pragma('foreign_keys = ON')
  }

  answer(request: ThreadRequest): ThreadAnswer {
    switch (request.kind) {
      case 'apply':
        return { kind: 'applied', outcomes: this.#apply(request.entries) }
      case 'find holder':
        return { kind: 'holder', holder: this.#play(findHolder(request.tokenHash)) }
      case 'query':
        return this.#query(request.sql, request.parameters)
      case 'drop ended windows':
        this.#memory.dropEnded(request.at)
        return { kind: 'done' }
      case 'close':
        this.#database.close()
        return { kind: 'done' }
      default:
        return unreachable(request)
    }
  }

  /** One transaction, immediate: it holds the writer's lock before it decides anything. */
  #apply(entries: readonly Entry[]): readonly Outcome[] {
    const batch = new Batch(entries, this.#memory)
    try {
      this.#database.exec('begin immediate')
      for (const phase of batch.phases()) for (const steps of phase) this.#play(steps)
      this.#database.exec('commit')
    } catch (error) {
      batch.giveBack()
      if (this.#database.inTransaction) this.#database.exec('rollback')
      throw error
    }
    return batch.outcomes
  }

  #play<Result>(steps: Steps<Result>): Result {
    let step = steps.next()
    while (!step.done) {
      const { statement, values } = step.value
      step = steps.next(run(this.#prepare(statement), values).rows)
    }
    return step.value
  }

  #prepare({ name, sql }: Statement): Sqlite.Statement<SqliteValue[], Row> {
    const known = this.#prepared.get(name)
    if (known !== undefined) return known
    const prepared = this.#database.prepare<SqliteValue[], Row>(sql)
    this.#prepared.set(name, prepared)
    return prepared
  }

  #query(sql: string, parameters: readonly SqliteValue[]): ThreadAnswer {
    const prepared = this.#database.prepare<SqliteValue[], Row>(sql)
    return { kind: 'queried', answer: run(prepared, parameters) }
  }
}

function run(
  statement: Sqlite.Statement<SqliteValue[], Row>,
  values: readonly SqliteValue[],
): { rows: Row[]; changes: number; insertId: number } {
  if (statement.reader) return { rows: statement.all(...values), changes: 0, insertId: 0 }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], changes, insertId: Number(lastInsertRowid) }
}

/** Errors cross threads as data: a clone would lose their codes. */
function failure(error: unknown): ThreadAnswer {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error), code: undefined, badEntry: false }
  const code = error instanceof Sqlite.SqliteError ? error.code : undefined
  const badEntry = error instanceof TypeError || error instanceof RangeError || code?.startsWith('SQLITE_CONSTRAINT')
  return { kind: 'failed', message: error.message, code, badEntry: badEntry === true }
}

function serve(port: NonNullable<typeof parentPort>, data: ThreadData): void {
  const thread = new SqliteThread(data)
  port.postMessage({ kind: 'done' } satisfies ThreadAnswer)
  port.on('message', (request: ThreadRequest) => {
    let answer: ThreadAnswer
    try {
      answer = thread.answer(request)
    } catch (error) {
      answer = failure(error)
    }
    port.postMessage(answer)
    if (request.kind === 'close') port.close()
  })
}

if (parentPort !== null) {
  try {
    serve(parentPort, workerData)
  } catch (error) {
    parentPort.postMessage(failure(error))
  }
}
