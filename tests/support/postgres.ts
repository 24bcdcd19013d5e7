import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './ports.ts'
import { untilReady } from './until.ts'

/** A PostgreSQL server in which tests create databases. */
export interface Postgres {
  /** Creates an empty database; returns its address. */
  createDatabase(): Promise<string>
  /** Runs one statement in the database `postgres` or another one; returns its rows. */
  query(sql: string, database?: string): Promise<readonly { readonly [column: string]: unknown }[]>
}

/** A server for one test file, with its own folder and port, removed when it is stopped. */
export interface PrivatePostgres extends Postgres {
  readonly url: string
  /** Ends the server at once, like a crash, and leaves its files. */
  crash(): Promise<void>
  /** Starts it again after a crash, with the same files and port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A server that is already running. */
export function postgresAt(url: string): Postgres {
  return {
    async createDatabase() {
      const name = `test_${randomBytes(8).toString('hex')}`
      await query(url, `create database ${name}`)
      return `${url}/${name}`
    },
    query: (sql, database = 'postgres') => query(`${url}/${database}`, sql),
  }
}

/**
 * Sets the strictest transaction isolation and makes some writes fail as if they had conflicted with another
 * transaction. Applies to databases created from now on.
 */
export async function simulateContention({ query }: Postgres): Promise<void> {
  await query(`alter system set default_transaction_isolation = 'serializable'`)
  await query('select pg_reload_conf()')
  const statements = [
    `create function lose() returns trigger language plpgsql as $$ begin
      if random() < 0.03 then raise exception 'lost' using errcode = '40001'; end if;
      return null;
    end $$`,
    `create function let_lose() returns event_trigger language plpgsql as $$ declare made record; begin
      for made in select * from pg_event_trigger_ddl_commands() where object_type = 'table' loop
        execute format('create or replace trigger lose before insert or update or delete on %s
          for each statement execute function lose()', made.object_identity);
      end loop;
    end $$`,
    `create event trigger let_lose on ddl_command_end when tag in ('CREATE TABLE') execute function let_lose()`,
  ]
  for (const statement of statements) await query(statement, 'template1')
}

/** A PostgreSQL server that replicates another one until it is promoted. */
export interface Standby extends PrivatePostgres {
  /** Resolves once it accepts writes. */
  promote(): Promise<void>
}

/** @param durable whether commits wait for the disk, as in production; tests are faster without it */
export function startPostgres({ durable = false }: { readonly durable?: boolean } = {}): Promise<PrivatePostgres> {
  const initialise = (files: string): string[] => [
    'initdb',
    '-D',
    files,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-N',
    '-E',
    'UTF8',
  ]
  return startOn(initialise, durable)
}

/** Copies a running PostgreSQL server and replicates it from then on, under the name `standby`. */
export async function startStandby(primary: PrivatePostgres): Promise<Standby> {
  const source = `${primary.url}?application_name=standby`
  const standby = await startOn((files) => ['pg_basebackup', '-D', files, '-R', '-c', 'fast', '-d', source], false)
  return Object.assign(standby, { promote: async () => void (await standby.query('select pg_promote(true, 60)')) })
}

/** @param make the command that creates the server's files in a folder */
async function startOn(make: (files: string) => readonly string[], durable: boolean): Promise<PrivatePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-postgres-'))
  const files = join(folder, 'data')
  // When the tests run as root, the server runs as another user.
  chmodSync(folder, 0o777)
  await promisify(execFile)(...asServerUser(make(files)))
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}`
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `fsync=${durable}`,
    'max_connections=500',
  ]
  const args = ['postgres', '-D', files, ...settings.flatMap((setting) => ['-c', setting])]
  let server = await serve(args, url)

  return {
    url,
    ...postgresAt(url),
    crash: () => server.end(),
    async restart() {
      server = await serve(args, url)
    },
    async stop() {
      await server.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function query(url: string, sql: string): Promise<readonly { readonly [column: string]: unknown }[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root, and Debian keeps its programs out of the path. */
function asServerUser([program = '', ...args]: readonly string[]): [string, string[]] {
  const path = join(programs(), program)
  if (process.getuid?.() !== 0) return [path, args]
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', path, ...args]]
}

function programs(): string {
  const versions = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
  return join('/usr/lib/postgresql', versions[0] ?? '', 'bin')
}

interface Server {
  end(): Promise<void>
}

/** Starts the server and waits until it accepts connections. */
async function serve(command: readonly string[], url: string): Promise<Server> {
  const child = spawn(...asServerUser(command), { stdio: ['ignore', 'ignore', 'pipe'] })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-2_000)
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // The server ends with the process of the tests.
  const kill = (): void => void child.kill('SIGQUIT')
  process.once('exit', kill)

  const answers = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    )
  await untilReady(child, answers, () => errorOutput)
  return {
    async end() {
      process.off('exit', kill)
      kill()
      await exited
    },
  }
}
