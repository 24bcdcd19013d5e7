import { inject } from 'vitest'
import { type Postgres, postgresAt } from './postgres.ts'

/** The PostgreSQL that all test files share, for tests that only need a database of their own. */
export async function sharedPostgres(): Promise<Postgres> {
  const answer = await fetch(inject('postgresAt'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return postgresAt(text)
}
