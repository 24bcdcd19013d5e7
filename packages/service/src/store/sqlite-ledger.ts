import type { StatementSync } from 'node:sqlite'
import type { FileIdentity } from './file-identity.ts'
import type { BatchAnswer, BatchParts, LedgerBatch, Take, TakeAnswer } from './ledger-driver.ts'
import type { SqliteDatabase } from './sqlite-driver.ts'

/** For statements that return something: the value of a counter. */
type Statement = StatementSync<{ readonly used: number }>

/** Statements that charge a counter and enforce its limit at the same time. */
interface CounterStatements {
  readonly take: Statement
  readonly read: Statement
  readonly open: Statement
}

function counterStatements(
  database: SqliteDatabase,
  table: string,
  [counter, period]: [string, string],
): CounterStatements {
  const where = `where ${counter} = ? and ${period} = ?`
  return {
    take: database.prepare(`update ${table} set used = used + ? ${where} and used <= ? returning used`),
    read: database.prepare(`select used from ${table} ${where}`),
    open: database.prepare(`insert into ${table} (${counter}, ${period}, used) values (?, ?, ?)`),
  }
}

function statements(database: SqliteDatabase) {
  const prepare = (sql: string): Statement => database.prepare(sql)
  const event = 'where account_id = ? and at = ? and charge_id = ?'
  return {
    months: counterStatements(database, 'usage_months', ['account_id', 'month']),
    days: counterStatements(database, 'keyless_days', ['client', 'day']),
    charge: prepare(`insert into usage_events (charge_id, account_id, key_id, at, mode, rows, units)
      values (?, ?, ?, ?, ?, ?, ?)`),
    complete: prepare(`update usage_events set status = ?, removed = ?, duration_ms = ? ${event}`),
    refund: prepare(
      `update usage_events set units = 0, status = ?, removed = ?, duration_ms = ? ${event} and units > 0`,
    ),
    refundMonth: prepare('update usage_months set used = used - ? where account_id = ? and month = ?'),
    refundDay: prepare('update keyless_days set used = used - ? where client = ? and day = ? and used >= ?'),
    refuse: prepare(`insert into usage_events (account_id, key_id, at, mode, rows, units, status, duration_ms)
      values (?, ?, ?, ?, ?, 0, ?, ?)`),
    countRefusals: prepare(`insert into usage_days (account_id, key_id, day, mode, status, calls, rows, removed, units)
      values (?, ?, ?, ?, ?, ?, ?, 0, 0) on conflict (account_id, day, key_id, mode, status)
      do update set calls = usage_days.calls + excluded.calls, rows = usage_days.rows + excluded.rows`),
    touch: prepare('update api_keys set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)'),
    answer: prepare('insert into ledger_batches (at, id, answer) values (?, ?, ?)'),
  }
}

/** Writes ledger batches to SQLite, each in one transaction. Runs synchronously in the connection's thread. */
export class SqliteLedger {
  readonly #database: SqliteDatabase
  readonly #settle: StatementSync<{ readonly answer: string | null }>
  readonly #file: FileIdentity
  readonly #run: ReturnType<typeof statements>

  /** @param database a database with the current schema */
  constructor(database: SqliteDatabase, file: FileIdentity) {
    this.#database = database
    this.#file = file
    this.#run = statements(database)
    this.#settle = database.prepare(`insert into ledger_batches (at, id, answer) values (?, ?, null)
      on conflict (at, id) do update set answer = ledger_batches.answer returning answer`)
  }

  /** @throws Error when it failed; nothing was written */
  write(batch: LedgerBatch): BatchAnswer {
    return this.#inTransaction(() => {
      const answer = {
        months: this.#take(this.#run.months, batch.months),
        days: this.#take(this.#run.days, batch.days),
      }
      this.#charge(batch.charges, answer.months)
      this.#note(batch)
      this.#run.answer.run(batch.at, batch.id, JSON.stringify(answer))
      return answer
    })
  }

  /**
   * The outcome of a batch; if it was not written, it can never be written afterwards.
   * @throws Error when it failed; the outcome is not known
   */
  settle({ at, id }: Pick<LedgerBatch, 'at' | 'id'>): BatchAnswer | 'never' {
    const answer = this.#inTransaction(() => this.#settle.get(at, id)?.answer)
    return typeof answer === 'string' ? JSON.parse(answer) : 'never'
  }

  /** Immediate: it holds the write lock before it decides anything. */
  #inTransaction<Result>(work: () => Result): Result {
    this.#file.check()
    try {
      this.#database.exec('begin immediate')
      const result = work()
      this.#database.exec('commit')
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #take({ take, read, open }: CounterStatements, takes: readonly Take[]): readonly TakeAnswer[] {
    return takes.map(({ counter, period, units, room }): TakeAnswer => {
      const taken = take.get(units, counter, period, room)
      if (taken !== undefined) return [taken.used, taken.used - units]
      const found = read.get(counter, period)
      if (found !== undefined || room < 0) return [null, found?.used ?? 0]
      open.run(counter, period, units)
      return [units, 0]
    })
  }

  #charge(charges: BatchParts['charges'], answers: readonly TakeAnswer[]): void {
    for (const { take, id, accountId, keyId, at, mode, rows, units } of charges) {
      if (answers[take]?.[0] != null) this.#run.charge.run(id, accountId, keyId, at, mode, rows, units)
    }
  }

  #note(parts: BatchParts): void {
    const run = this.#run
    for (const { id, accountId, at, status, removed, durationMs } of parts.completions) {
      run.complete.run(status, removed, durationMs, accountId, at, id)
    }
    for (const { id, accountId, at, status, removed, durationMs, period, units } of parts.refunds) {
      // An event that was already refunded, or rolled up into its day, leaves the counter unchanged.
      const { changes } = run.refund.run(status, removed, durationMs, accountId, at, id)
      if (changes > 0) run.refundMonth.run(units, accountId, period)
    }
    for (const { client, period, units } of parts.dayRefunds) run.refundDay.run(units, client, period, units)
    for (const { accountId, keyId, at, mode, rows, status, durationMs } of parts.refusals) {
      run.refuse.run(accountId, keyId, at, mode, rows, status, durationMs)
    }
    for (const { accountId, keyId, day, mode, status, calls, rows } of parts.refusalSums) {
      run.countRefusals.run(accountId, keyId, day, mode, status, calls, rows)
    }
    for (const { keyId, at } of parts.lastUses) run.touch.run(at, keyId, at)
  }
}
