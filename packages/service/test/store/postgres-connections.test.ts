import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sharedPostgres } from '../../../../tests/support/shared-postgres.ts'
import { ConnectionLost, PostgresConnections, type Purpose } from '../../src/store/postgres-connections.ts'
import { PostgresHosts } from '../../src/store/postgres-hosts.ts'

let address: string
const opened: PostgresConnections[] = []

beforeEach(async () => {
  address = await (await sharedPostgres()).createDatabase()
})
afterEach(async () => {
  for (const connections of opened.splice(0)) await connections.close()
})

/** One connection for each purpose. */
function connect(to: string = address): PostgresConnections {
  const connections = new PostgresConnections(new PostgresHosts(to), { connections: 4, isPooled: false })
  opened.push(connections)
  return connections
}

const statement = (text: string) => ({ name: text, text, values: [] })

/** The process of the server that answers. */
async function session(connections: PostgresConnections, purpose: Purpose): Promise<unknown> {
  const [row] = await connections.run(purpose, statement('select pg_backend_pid() as pid'))
  return row?.pid
}

const LOSE = statement('select pg_terminate_backend(pg_backend_pid())')

test('used and idle connections, and queries that wait for one, are counted', async () => {
  const connections = connect()
  expect(connections.counts).toEqual({ used: 0, idle: 0, waiting: 0 })
  await session(connections, 'ledger')
  const pool = connections.poolFor('rest')
  const first = await pool.connect()
  const second = pool.connect()
  expect(connections.counts).toEqual({ used: 1, idle: 1, waiting: 1 })
  first.release()
  const client = await second
  client.release()
  expect(connections.counts).toEqual({ used: 0, idle: 2, waiting: 0 })
})

describe('after a statement that failed', () => {
  test('because of its content, connections are kept', async () => {
    const connections = connect()
    const before = [await session(connections, 'ledger'), await session(connections, 'lookups')]
    await expect(connections.run('ledger', statement('select 1 / 0'))).rejects.toMatchObject({ code: '22012' })
    expect([await session(connections, 'ledger'), await session(connections, 'lookups')]).toEqual(before)
  })

  test('because its connection was lost, it may have been written, and all connections are replaced', async () => {
    const connections = connect()
    const before = [await session(connections, 'ledger'), await session(connections, 'lookups')]
    const lost = new ConnectionLost('the connection to PostgreSQL was lost')
    await expect(connections.run('ledger', LOSE)).rejects.toThrow(lost)
    await expect(connections.run('ledger', LOSE)).rejects.toMatchObject({ cause: { code: '57P01' } })
    const after = [await session(connections, 'ledger'), await session(connections, 'lookups')]
    for (const pid of after) expect(before).not.toContain(pid)
  })
})

describe('a statement that conflicts with another transaction', () => {
  /** Conflicts twice, and then succeeds. */
  const conflict = `do $$ begin
    if nextval('attempts') < 3 then raise exception 'conflict' using errcode = '40001'; end if;
  end $$`

  test.each(['ledger', 'rest'] as const)('is repeated outside of a transaction (%s)', async (purpose) => {
    const connections = connect()
    await connections.run('rest', statement('create sequence attempts'))
    if (purpose === 'ledger') await connections.run(purpose, statement(conflict))
    else {
      const client = await connections.poolFor(purpose).connect()
      await client.query(conflict, [])
      client.release()
    }
    const [row] = await connections.run('rest', statement(`select nextval('attempts') as next`))
    expect(row).toEqual({ next: 4 })
  })

  test('is not repeated by itself inside of one', async () => {
    const connections = connect()
    await connections.run('rest', statement('create sequence attempts'))
    const client = await connections.poolFor('rest').connect()
    await client.query('begin', [])
    await expect(client.query(conflict, [])).rejects.toMatchObject({ code: '40001' })
    await client.query('rollback', [])
    client.release()
  })
})

describe('of several servers', () => {
  const several = (): string => address.replace(/@([^/]+)/, '@$1,$1')

  test('one that accepts writes is used', async () => {
    expect(await session(connect(several()), 'ledger')).toBeGreaterThan(0)
  })

  test('none is used if all of them only read', async () => {
    const name = new URL(address).pathname.slice(1)
    await (await sharedPostgres()).query(`alter database ${name} set default_transaction_read_only = on`)
    await expect(session(connect(several()), 'ledger')).rejects.toThrow('the server is read-only')
    expect(await session(connect(), 'ledger')).toBeGreaterThan(0)
  })
})
