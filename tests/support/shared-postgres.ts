import { inject } from 'vitest'
import { type Postgres, postgresAt } from './postgres.ts'

/** The PostgreSQL that all test files share, for whatever concerns a database of one's own alone. */
export async function sharedPostgres(): Promise<Postgres> {
  const answer = await fetch(inject('postgresAt'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return postgresAt(text)
}
