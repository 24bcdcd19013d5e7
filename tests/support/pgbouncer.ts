import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accepts, freePort } from './ports.ts'
import type { Postgres } from './postgres.ts'
import { untilReady } from './until.ts'

export interface PgBouncer {
  /** The address of the same database through the pooler. */
  through(databaseUrl: string): string
  stop(): Promise<void>
}

/** Creates a database with the timeouts that clients behind a pooler cannot set; returns its address. */
export async function createDatabaseForPooling(postgres: Postgres): Promise<string> {
  const address = await postgres.createDatabase()
  const name = new URL(address).pathname.slice(1)
  for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    await postgres.query(`alter database ${name} set ${setting} = 4000`)
  }
  return address
}

/**
 * Starts PgBouncer in transaction mode in front of a PostgreSQL server that trusts all users: successive statements may
 * use any connection.
 * @param poolSize number of connections to PostgreSQL
 */
export async function startPgBouncer(postgresUrl: string, poolSize = 3): Promise<PgBouncer> {
  const { hostname, port: target } = new URL(postgresUrl)
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-pgbouncer-'))
  const port = await freePort()
  const [users, settings] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')]
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 2000
`,
  )
  // It refuses to run as root.
  chmodSync(folder, 0o755)
  const command = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const [program = '', ...args] = [...command, '/usr/sbin/pgbouncer', '-q', settings]
  const pooler = spawn(program, args, { stdio: 'ignore' })
  const kill = (): void => void pooler.kill('SIGKILL')
  process.once('exit', kill)
  await untilReady(pooler, () => accepts(port))
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(port)
      return url.href
    },
    async stop() {
      process.off('exit', kill)
      const ended = once(pooler, 'exit')
      kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
