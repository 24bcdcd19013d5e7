import { setTimeout } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'
import { sqlStateOf } from './sql-state.ts'

/** How many times a transaction is tried if it conflicts with others. */
const ATTEMPTS = 12

/** SQLSTATE: a deadlock or a serialisation failure. The transaction was rolled back and may be repeated. */
const CONFLICTS = ['40P01', '40001']

function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(sqlStateOf(error) ?? '')
}

/**
 * Runs work and repeats it after conflicts with other transactions. It must have no effects outside the database.
 * @param mayRetry whether to repeat; called after a conflict
 */
export async function retryingConflicts<Result>(
  work: () => Promise<Result>,
  mayRetry: () => boolean = () => true,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS || !mayRetry()) throw error
      // Random pauses of at most 4, 8, 16 … ms, so that the conflict is not repeated.
      await setTimeout(Math.random() * 2 ** (attempt + 1))
    }
  }
}

/** A transaction that is repeated after conflicts with others. */
export function inTransaction<Result>(
  kysely: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return retryingConflicts(() => kysely.transaction().execute(work))
}
