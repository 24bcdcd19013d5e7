import { inject } from 'vitest'
import { type Postgres, postgresAt } from './postgres.ts'

/** The PostgreSQL server that all test files share, for tests that only need their own database. */
export async function sharedPostgres(): Promise<Postgres> {
  const answer = await fetch(inject('postgresAt'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return postgresAt(text)
}
