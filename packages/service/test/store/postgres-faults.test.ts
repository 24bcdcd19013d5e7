import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PrivatePostgres, startPostgres } from '../../../../tests/support/postgres.ts'
import { startTcpProxy, type TcpProxy } from '../../../../tests/support/tcp-proxy.ts'
import { until } from '../../../../tests/support/until.ts'
import type { LedgerReport } from '../../src/store/ledger.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../src/store/open.ts'
import type { KeyHolder } from '../../src/store/store.ts'
import { admitted, all, charge, FAILED, MONTH, NOON, newAddressHash, newHolder, OK, used } from './support.ts'

let server: PrivatePostgres
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

interface ProxiedDatabase {
  readonly database: OpenDatabase
  readonly proxy: TcpProxy
  /** The direct address of the database, without the proxy. */
  readonly address: string
  readonly reports: LedgerReport[]
}

/** Runs a test with a store that is connected to PostgreSQL through a proxy that can fail. */
async function behindProxy(run: (parts: ProxiedDatabase) => Promise<void>, options: OpenOptions = {}): Promise<void> {
  const address = await server.createDatabase()
  const proxy = await startTcpProxy(Number(new URL(address).port))
  const through = new URL(address)
  through.port = String(proxy.port)
  const reports: LedgerReport[] = []
  const report = (event: LedgerReport): void => void reports.push(event)
  const database = await openDatabase(through.href, randomBytes, { report, ...options })
  try {
    await run({ database, proxy, address, reports })
  } finally {
    proxy.dropAll(false)
    await database.store.close()
    proxy.close()
  }
}

const BATCH = 'batch months'

describe('the connection is lost around a commit', () => {
  test.each([
    { name: 'the commit was written and its answer lost', when: 'after' as const, wasWritten: true },
    { name: 'the commit was never received', when: 'before' as const, wasWritten: false },
  ])('$name: the charge is admitted and billed once', ({ when, wasWritten }) =>
    behindProxy(async ({ database: { store }, proxy, reports }) => {
      const holder = await newHolder(store, 'starter')
      await admitted(store, holder, 1_000)
      const cut = proxy.cutAt(BATCH, when)
      const ticket = await admitted(store, holder, 50_000)
      await cut
      expect(reports).toContainEqual({ kind: 'settled', wasWritten })
      expect(await used(store, holder)).toBe(51_000)
      expect((await all(store.eventPages({ month: MONTH }))).map(({ units }) => units)).toEqual([1_000, 50_000])
      await store.refund(ticket, FAILED)
      expect(await used(store, holder)).toBe(1_000)
      expect(await store.imbalances()).toEqual([])
    }),
  )

  test.each(['after', 'before'] as const)(
    'a keyless charge is billed once if the connection is lost %s it is written',
    (when) =>
      behindProxy(async ({ database: { store, kysely }, proxy }) => {
        const addressHash = newAddressHash()
        await store.admitKeyless({ addressHash, at: NOON, units: 1 })
        const cut = proxy.cutAt('batch days', when)
        expect((await store.admitKeyless({ addressHash, at: NOON, units: 10 })).outcome).toBe('admitted')
        await cut
        expect(await kysely.selectFrom('keyless_days').select('used').execute()).toEqual([{ used: 11 }])
      }),
  )

  test.each(['after', 'before'] as const)(
    'a refund is written once if the connection is lost %s it is written',
    (when) =>
      behindProxy(async ({ database: { store, kysely }, proxy }) => {
        const addressHash = newAddressHash()
        const admission = await store.admitKeyless({ addressHash, at: NOON, units: 10 })
        await store.admitKeyless({ addressHash, at: NOON, units: 100 })
        if (admission.outcome !== 'admitted') throw new Error(admission.outcome)
        const cut = proxy.cutAt('batch dayRefunds', when)
        const refunded = store.refund(admission.ticket, FAILED)
        await cut
        await refunded
        await store.flush()
        expect(await kysely.selectFrom('keyless_days').select('used').execute()).toEqual([{ used: 100 }])
      }),
  )
})

test.each(['after', 'before'] as const)('a key is looked up again if the connection is lost %s its look-up', (when) =>
  behindProxy(async ({ database: { store }, proxy }) => {
    const cut = proxy.cutAt('find holders', when)
    expect(await store.findHolder('unknown')).toBeUndefined()
    await cut
  }),
)

test.each([
  { name: 'its code, in any language', code: '57P01', severity: 'ERROR' },
  { name: 'its severity, after a crash', code: '58030', severity: 'PANIC' },
])('the end of a session is recognised by $name', ({ code, severity }) =>
  behindProxy(async ({ database: { store, kysely }, proxy, reports }) => {
    const holder = await newHolder(store, 'pro')
    proxy.replace('SERROR\0', `S${severity}\0`)
    await sql`create sequence attempts`.execute(kysely)
    await sql`create function end_session() returns trigger language plpgsql as
      $$ begin if nextval('attempts') = 1 then raise using errcode = ${sql.lit(code)}; end if; return new; end $$`.execute(
      kysely,
    )
    await sql`create trigger once before insert on usage_months for each row execute function end_session()`.execute(
      kysely,
    )
    await admitted(store, holder, 5)
    expect(reports).toContainEqual({ kind: 'settled', wasWritten: false })
    expect(await used(store, holder)).toBe(5)
  }),
)

/** Locks the counter of an account in another session until `work` is done. */
async function holdingRow(address: string, holder: KeyHolder, work: () => Promise<void>): Promise<void> {
  const session = new pg.Client(address)
  await session.connect()
  await session.query('begin')
  await session.query('update usage_months set used = used where account_id = $1', [holder.accountId])
  try {
    await work()
  } finally {
    await session.query('rollback')
    await session.end()
  }
}

describe('another session has locked the counter of an account', () => {
  test('its charges are refused, those of other accounts are admitted, and nothing remains charged', () =>
    behindProxy(async ({ database: { store }, address }) => {
      const [held, free] = [await newHolder(store, 'pro'), await newHolder(store, 'pro')]
      for (const holder of [held, free]) await admitted(store, holder, 1)
      await holdingRow(address, held, async () => {
        const refused = [store.admit(charge(held, 2)), store.admit(charge(held, 4))].map((one) =>
          one.then(({ outcome }) => outcome).catch(() => 'rejected'),
        )
        for (let i = 0; i < 20; i += 1) await admitted(store, free, 1)
        expect((await store.admitKeyless({ addressHash: newAddressHash(), at: NOON, units: 1 })).outcome).toBe(
          'admitted',
        )
        await store.ready()
        expect(await Promise.all(refused)).toEqual(['rejected', 'rejected'])
      })
      await admitted(store, held, 8)
      expect([await used(store, held), await used(store, free)]).toEqual([9, 21])
      expect(await store.imbalances()).toEqual([])
    }))

  test('a caller that disconnects meanwhile is not billed', () =>
    behindProxy(async ({ database: { store }, address }) => {
      const held = await newHolder(store, 'starter')
      await admitted(store, held, 1)
      const caller = { aborted: false }
      const waiting: Promise<unknown>[] = []
      await holdingRow(address, held, async () => {
        waiting.push(store.admit(charge(held, 1)).catch(() => {}))
        for (let i = 0; i < 5; i += 1) waiting.push(store.admit(charge(held, 20_000), caller).catch(() => {}))
        caller.aborted = true
        await Promise.all(waiting)
      })
      expect(await used(store, held)).toBeLessThanOrEqual(2)
      expect(await store.imbalances()).toEqual([])
    }))
})

test('a network that drops everything: all calls end, and afterwards all work again', () =>
  behindProxy(async ({ database: { store }, proxy }) => {
    const holder = await newHolder(store, 'pro')
    const ticket = await admitted(store, holder, 5)
    proxy.dropAll(true)
    const ends = await Promise.allSettled([
      store.findHolder('hash'),
      store.admit(charge(holder, 7)),
      store.admitKeyless({ addressHash: newAddressHash(), at: NOON, units: 1 }),
      store.accountById(''),
      all(store.monthPages({ month: MONTH })),
      store.refund(ticket, FAILED),
    ])
    expect(ends.map(({ status }) => status)).toEqual([...Array(5).fill('rejected'), 'fulfilled'])
    await expect(store.ready()).rejects.toThrow()
    expect(store.ledgerState().refunds).toBe(1)
    proxy.dropAll(false)
    await store.findHolder('hash')
    while (store.ledgerState().refunds > 0) await store.flush()
    await admitted(store, holder, 9)
    expect(await used(store, holder)).toBe(9)
    expect(await store.imbalances()).toEqual([])
  }))

test('no transaction stays open across a round trip under load', () =>
  behindProxy(async ({ database: { store }, address }) => {
    const holder = await newHolder(store, 'pro')
    const watcher = new pg.Client(address)
    await watcher.connect()
    const load = Promise.all(Array.from({ length: 200 }, () => admitted(store, holder, 1)))
    const open = `select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`
    for (let i = 0; i < 20; i += 1) expect((await watcher.query(open)).rows).toEqual([])
    await load
    await watcher.end()
  }))

test('charging reads no table as a whole, even if its statements were prepared while the tables were small', async () => {
  const address = await server.createDatabase()
  const first = await openDatabase(address, randomBytes)
  const holders = await Promise.all(Array.from({ length: 20 }, () => newHolder(first.store, 'pro')))
  await first.store.close()
  const watcher = new pg.Client(address)
  await watcher.connect()
  await watcher.query('select pg_stat_reset()') // migrations do read whole tables

  const { store } = await openDatabase(address, randomBytes)
  for (let round = 0; round < 10; round += 1) {
    const tickets = await Promise.all(holders.map((holder) => admitted(store, holder, 1)))
    for (const [index, ticket] of tickets.entries()) {
      if (index % 5 === 0) await store.refund(ticket, FAILED)
      else store.complete(ticket, OK)
    }
    await store.admitKeyless({ addressHash: newAddressHash(), at: NOON, units: 1 })
  }
  await store.close() // sessions report their statistics when they end, at the latest
  const read = `select relname, seq_scan::int as scans, idx_scan::int > 0 as "usesIndexes" from pg_stat_user_tables
    where relname ~ '^(usage_|keyless_days)' and seq_scan + idx_scan > 0 order by relname`
  try {
    await expect
      .poll(async () => (await watcher.query(read)).rows)
      .toEqual(
        ['keyless_days', 'usage_events_before', 'usage_months', 'usage_sums'].map((relname) => ({
          relname,
          scans: 0,
          usesIndexes: true,
        })),
      )
  } finally {
    await watcher.end()
  }
})

test('a session that has become read-only, as after a failover, is replaced', () =>
  behindProxy(async ({ database: { store }, address }) => {
    const holder = await newHolder(store, 'pro')
    await admitted(store, holder, 1)
    const readOnly = (isReadOnly: boolean) =>
      server.query(
        `alter database ${new URL(address).pathname.slice(1)} set default_transaction_read_only = ${isReadOnly}`,
      )
    await readOnly(true)
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'keepfirst%'`,
    )
    await expect(store.admit(charge(holder, 1))).rejects.toThrow()
    await readOnly(false)
    await admitted(store, holder, 2)
    await store.setPlan(holder.accountId, 'free')
    expect(await used(store, holder)).toBe(3)
  }))

/**
 * Enables TLS with a self-signed certificate.
 * @returns the path of the certificate
 */
async function enableTls({ query }: PrivatePostgres): Promise<string> {
  const [row] = await query('show data_directory')
  const folder = String(row?.data_directory)
  const [key, certificate] = [join(folder, 'server.key'), join(folder, 'server.crt')]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  await promisify(execFile)('openssl', [...kind, ...name, '-keyout', key, '-out', certificate])
  const { uid, gid } = await stat(folder)
  await chown(key, uid, gid)
  await query('alter system set ssl = on')
  await query('select pg_reload_conf()')
  await until('TLS was on', async () => (await query('show ssl'))[0]?.ssl === 'on')
  return certificate
}

describe('requirements for a database', () => {
  test('its encoding has to be UTF8', async () => {
    await server.query(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    const address = new URL(await server.createDatabase())
    address.pathname = '/latin'
    await expect(openDatabase(address.href, randomBytes)).rejects.toThrow('its encoding is LATIN1, not UTF8')
  })

  test('behind a pooler, the role has to set the timeouts, and prepared statements are not used', async () => {
    const address = await server.createDatabase()
    const opening = openDatabase(address, randomBytes, { isPooled: true })
    await expect(opening).rejects.toThrow('ALTER ROLE … SET lock_timeout = 1000')
    const name = new URL(address).pathname.slice(1)
    for (const setting of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      await server.query(`alter database ${name} set ${setting} = 4000`)
    }
    const { store, kysely } = await openDatabase(address, randomBytes, { isPooled: true })
    const holder = await newHolder(store)
    await admitted(store, holder, 3)
    expect(await used(store, holder)).toBe(3)
    await kysely.selectFrom('accounts').selectAll().execute()
    await store.close()
  })

  test('of several hosts, the one that answers is used', async () => {
    const address = await server.createDatabase()
    const { host } = new URL(address)
    const { store } = await openDatabase(address.replace(host, `127.0.0.1:1,${host}`), randomBytes)
    await admitted(store, await newHolder(store), 1)
    await store.close()
    const opening = openDatabase(address.replace(host, '127.0.0.1:1,127.0.0.1:2'), randomBytes)
    await expect(opening).rejects.toThrow(
      /^cannot open the database 127.0.0.1:1,127.0.0.1:2\/test_\w+: connect ECONNREFUSED/,
    )
  })

  test('a self-signed certificate is refused with advice, and accepted if the address names it', async () => {
    const certificate = await enableTls(server)
    const address = await server.createDatabase()
    await expect(openDatabase(`${address}?sslmode=require`, randomBytes)).rejects.toThrow(
      /: its certificate is not signed by a known authority: add sslrootcert=FILE with its issuer to the address, or sslmode=no-verify/,
    )
    for (const query of ['sslmode=no-verify', `sslmode=require&sslrootcert=${certificate}`]) {
      const { store } = await openDatabase(`${address}?${query}`, randomBytes)
      await admitted(store, await newHolder(store), 1)
      await store.close()
    }
  })

  test('a few connections are enough', async () => {
    const { store } = await openDatabase(await server.createDatabase(), randomBytes, { connections: 4 })
    const holder = await newHolder(store, 'pro')
    await Promise.all(Array.from({ length: 50 }, () => admitted(store, holder, 1)))
    expect(await used(store, holder)).toBe(50)
    await store.close()
  })
})
