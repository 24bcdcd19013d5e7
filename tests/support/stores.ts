import { afterAll, beforeAll, describe } from 'vitest'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'
import { sharedPostgres } from './shared-postgres.ts'
import { usesPostgres } from './store-selection.ts'

const STORES = [
  { store: 'SQLite', start: () => startServer() },
  ...(usesPostgres ? [{ store: 'PostgreSQL', start: async () => (await startOnPostgres()).server }] : []),
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

/** Starts a server with a fresh PostgreSQL database; returns its address for further instances. */
export async function startOnPostgres(
  options: ServerOptions = {},
): Promise<{ readonly server: RunningServer; readonly databaseUrl: string }> {
  const databaseUrl = await (await sharedPostgres()).createDatabase()
  return { server: await startServer({ ...options, databaseUrl }), databaseUrl }
}
