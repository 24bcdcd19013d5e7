import { afterAll, beforeAll, describe } from 'vitest'
import { type RunningServer, startServer } from './server.ts'
import { sharedPostgres } from './shared-postgres.ts'
import { usesPostgres } from './store-selection.ts'

const STORES = [
  { store: 'SQLite', start: () => startServer() },
  ...(usesPostgres ? [{ store: 'PostgreSQL', start: startOnPostgres }] : []),
]

/** Runs the tests in `body` against a server on each of the two databases. */
export function describeOnEachStore(title: string, body: (server: () => RunningServer) => void): void {
  describe.each(STORES)(`${title} ($store)`, ({ start }) => {
    let server: RunningServer | undefined
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server?.stop())
    body(() => {
      if (!server) throw new Error('the server has not started')
      return server
    })
  })
}

/** Starts a server with a fresh PostgreSQL database. */
export async function startOnPostgres(): Promise<RunningServer> {
  return startServer({ databaseUrl: await (await sharedPostgres()).createDatabase() })
}
