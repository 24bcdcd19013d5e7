import { setTimeout } from 'node:timers/promises'
import { codeOf } from '@keepfirst/cli/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** A transaction that lost against another one is tried this often. */
const ATTEMPTS = 12

/** SQLSTATE: a deadlock was lost, or a serialisation failed. The transaction is gone and may be run again. */
const CONFLICTS = ['40P01', '40001']

/** Did a transaction lose against another one, so that it may be run again? */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.includes(codeOf(error) ?? '')
}

/**
 * Runs work that lost against another transaction again. It must have no effect but in the database.
 * @param mayRetry asked when it has lost
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
      // Those who lost against each other must not meet again: after 4, 8, 16 … ms at the most.
      await setTimeout(Math.random() * 2 ** (attempt + 1))
    }
  }
}

/** A transaction that is run again when it loses against another one. */
export function inTransaction<Result>(
  kysely: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return retryingConflicts(() => kysely.transaction().execute(work))
}
