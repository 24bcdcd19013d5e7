import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { openForWriting } from '../../packages/service/dist/store/sqlite-driver.js'
import { newPerson, visit } from '../support/person.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { usesPostgres } from '../support/store-selection.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })

const newDatabase = async () => (await sharedPostgres()).createDatabase()

const readiness = async (server: RunningServer) => (await server.call({ method: 'GET', path: '/readyz' })).status

const becomesReady = (server: RunningServer) =>
  until('the server was ready', async () => (await readiness(server)) === 200)

/** Exit code and output of `usage --verify`. */
async function verify(server: RunningServer): Promise<{ code: number; stdout: string }> {
  const { code, stdout } = await server.cli('usage', '--verify')
  return { code, stdout: stdout.trim() }
}

const BALANCED = { code: 0, stdout: 'every counter is the sum of its events' }

test('if the database file of a running server is deleted, it answers 503 and logs an error until the file is restored', async () => {
  const server = await startServer()
  const { token } = await server.key('deleted@example.com')
  const file = join(server.folder, 'keepfirst.db')
  expect((await server.call({ token, body: lines(2) })).status).toBe(200)
  await rename(file, `${file}-away`)
  expect((await server.call({ token, body: lines(3) })).status).toBe(503)
  expect((await server.call({ body: lines(3) })).status).toBe(503)
  expect((await server.call({ token: 'kf_live_unknown', body: lines(3) })).status).toBe(401)
  expect(await readiness(server)).toBe(503)
  expect(await server.log()).toContain(`the database file ${file} was deleted`)
  await rename(`${file}-away`, file)
  await becomesReady(server)
  expect((await server.call({ token, body: lines(4) })).status).toBe(200)
  expect((await server.events('deleted@example.com')).map(({ units }) => units)).toEqual([2, 0, 4])
  expect(await verify(server)).toEqual(BALANCED)
  await server.stop()
})

/** Overwrites the first page of a table or an index, as a failing disk would. */
async function damage(folder: string, name: string): Promise<void> {
  const path = join(folder, 'keepfirst.db')
  const database = openForWriting(path)
  const found = database.prepare<{ rootpage: number }>('select rootpage from sqlite_master where name = ?').get(name)
  database.exec('pragma wal_checkpoint(truncate)') // otherwise the log would still have the original page
  database.close()
  if (found === undefined) throw new Error(`there is no ${name}`)
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (found.rootpage - 1) * PAGE_BYTES)
  await file.close()
}

const PAGE_BYTES = 4_096
const KEYS_CREATE = ['keys', 'create', '--account', 'refused@example.com']

describe('a damaged page of the database file', () => {
  test.each([
    { name: 'of monthly usage: 503 for calls with a key', page: 'usage_months', keyed: 503, ready: 200 },
    // A key that cannot be checked is refused, whatever the reason (specification 5.4); readiness keeps new callers
    // away.
    { name: 'of keys: 401, and not ready', page: 'sqlite_autoindex_api_keys_2', keyed: 401, ready: 503 },
  ])('$name; the log says what to do', async ({ page, keyed, ready }) => {
    const first = await startServer()
    const { token } = await first.key('damaged@example.com')
    await first.call({ token, body: lines(1) })
    await first.stop()
    await damage(first.folder, page)
    const server = await startServer({ folder: first.folder, isReady: false })
    expect((await server.call({ token, body: lines(1) })).status).toBe(keyed)
    expect((await server.call({ body: lines(1) })).status).toBe(200)
    expect(await readiness(server)).toBe(ready)
    await server.stop()
    expect(await server.log()).toContain(
      'the database file is damaged, restore a backup: database disk image is malformed',
    )
  })
})

const SIGN_OUT = '/app/auth/sign-out'
const SIGN_OUT_EVERYWHERE = '/app/auth/sign-out-everywhere'

describe('nobody is told that a session has ended, or that there is none, if the database fails', () => {
  test.each([
    {
      name: 'sessions cannot be ended',
      fault: `create trigger stuck before delete on auth_session begin select raise(abort, 'stuck'); end`,
      repair: 'drop trigger stuck',
      paths: [SIGN_OUT, SIGN_OUT_EVERYWHERE],
    },
    {
      name: 'sessions cannot be read',
      fault: 'alter table auth_session rename to away',
      repair: 'alter table away rename to auth_session',
      paths: [SIGN_OUT, SIGN_OUT_EVERYWHERE, '/app/account/keys', '/app/auth/sign-in/email'],
    },
  ])('$name: 500, and the log names each route', async ({ fault, repair, paths }) => {
    const server = await startServer()
    const person = await newPerson(server)
    const { email, password, cookie } = person
    const database = openForWriting(join(server.folder, 'keepfirst.db'))
    database.exec(fault)
    for (const path of paths) {
      const answer = await visit(server, path, { ...person, body: { email, password, name: 'a key' } })
      expect([path, answer.status]).toEqual([path, 500])
    }
    database.exec(repair)
    database.close()
    expect((await visit(server, '/app/account/keys', { cookie })).status).toBe(200)
    expect((await visit(server, SIGN_OUT, { cookie, body: {} })).status).toBe(200)
    expect((await visit(server, '/app/account/keys', { cookie })).status).toBe(401)
    await server.stop()
    const logged = (await server.log())
      .trim()
      .split('\n')
      .map((line): { level: number; route?: string; status?: number } => JSON.parse(line))
    const failed = logged.filter(({ level, status }) => level === 50 && status === 500)
    expect(failed.map(({ route }) => route)).toEqual(paths)
  })
})

describe("what the database refuses during an operator's command is one line, with exit code 1", () => {
  test('SQLite', async () => {
    const server = await startServer()
    const database = openForWriting(join(server.folder, 'keepfirst.db'))
    database.exec('alter table accounts rename to away')
    database.close()
    for (const args of [['accounts', 'list'], KEYS_CREATE]) {
      expect(await server.cli(...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'keepfirst: the database failed: no such table: accounts\n',
      })
    }
    await server.stop()
  })

  test.runIf(usesPostgres)('PostgreSQL', async () => {
    const databaseUrl = await newDatabase()
    const server = await startServer({ databaseUrl })
    const name = new URL(databaseUrl).pathname.slice(1)
    await (await sharedPostgres()).query(`alter database ${name} set default_transaction_read_only = on`)
    expect(await server.cli('accounts', 'list')).toMatchObject({ code: 0 })
    expect(await server.cli(...KEYS_CREATE)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'keepfirst: the database failed: cannot execute INSERT in a read-only transaction\n',
    })
    await server.stop()
  })
})

test('what a stop can write neither to the database nor to PENDING_FILE is in the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-pending-'))
  const server = await startServer({ env: { PENDING_FILE: join(folder, 'data', 'pending') } })
  const { id, token } = await server.key('pending@example.com')
  const database = openForWriting(join(server.folder, 'keepfirst.db'))
  database.exec('alter table usage_events rename to away')
  expect((await server.call({ token, body: 'not JSON' })).status).toBe(400)
  await writeFile(join(folder, 'data'), 'a file instead of a folder')
  await server.stop()
  database.close()
  expect(server.process.exitCode).toBe(1)
  const { err, msg } = JSON.parse((await server.log()).trim().split('\n').at(-1) ?? '')
  expect(msg).toBe('the server could not stop in an orderly way')
  const [, content = ''] = /^save this as PENDING_FILE .*\/data\/pending, [^:]*: (.*)$/s.exec(err.message) ?? []
  expect(JSON.parse(content)).toMatchObject({ notes: { refusals: [{ holder: { keyId: id }, status: 400 }] } })
})

test('usage --verify lists counters that are not the sum of their events, with exit code 1', async () => {
  const server = await startServer()
  const { token } = await server.key('wrong@example.com')
  expect((await server.call({ token, body: lines(7) })).status).toBe(200)
  const { store, kysely } = await openDatabase(`sqlite:${join(server.folder, 'keepfirst.db')}`, randomBytes)
  await kysely.updateTable('usage_months').set({ used: 9 }).execute()
  await store.close()
  const { code, stdout, stderr } = await server.cli('usage', '--verify', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ account: 'wrong@example.com', used: 9, sum: 7 }])
  expect(stderr).toBe('keepfirst: counters that differ from the sum of their events: 1\n')
  expect(code).toBe(1)
  await server.stop()
})

test('a backup under load balances, and a server can start with it', async () => {
  const server = await startServer()
  const { token } = await server.key('backup@example.com')
  let isOver = false
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) await server.call({ token, body: lines(1) })
  })
  await server.call({ token, body: lines(5) })
  const copy = join(server.folder, 'copy', 'keepfirst.db')
  await mkdir(join(server.folder, 'copy'))
  expect(await server.cli('backup', copy)).toMatchObject({ code: 0 })
  expect(await server.cli('backup', copy)).toMatchObject({ code: 1, stderr: `keepfirst: ${copy}: already exists\n` })
  expect(await server.cli('backup', `${copy}/x`)).toMatchObject({
    code: 1,
    stderr: `keepfirst: ${copy}/x: a part of the path is not a folder\n`,
  })
  isOver = true
  await Promise.all(load)
  await server.stop()
  const restored = await startServer({ folder: join(server.folder, 'copy') })
  expect(await verify(restored)).toEqual(BALANCED)
  expect((await restored.call({ token, body: lines(1) })).status).toBe(200)
  await restored.stop()
})

describe.runIf(usesPostgres)('PostgreSQL', () => {
  test('while the network drops everything: 401 with a key, 503 without, not ready; then everything resumes', async () => {
    const address = new URL(await newDatabase())
    const proxy = await startTcpProxy(Number(address.port))
    address.port = String(proxy.port)
    const server = await startServer({ databaseUrl: address.href })
    const { token } = await server.key('silence@example.com')
    expect((await server.call({ token, body: lines(2) })).status).toBe(200)
    proxy.dropAll(true)
    const answers = await Promise.all([server.call({ token, body: lines(3) }), server.call({ body: lines(3) })])
    expect(answers.map(({ status }) => status)).toEqual([401, 503])
    expect(await readiness(server)).toBe(503)
    proxy.dropAll(false)
    await becomesReady(server)
    expect((await server.call({ token, body: lines(4) })).status).toBe(200)
    expect((await server.call({ body: lines(4) })).status).toBe(200)
    expect(await verify(server)).toEqual(BALANCED)
    await server.stop()
    proxy.close()
  })

  test('an instance that freezes under load does not delay others', async () => {
    const databaseUrl = await newDatabase()
    const [frozen, server] = [await startServer({ databaseUrl }), await startServer({ databaseUrl })]
    const { token } = await frozen.key('frozen@example.com')
    let isOver = false
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) await frozen.call({ token, body: lines(1) }).catch(() => {})
    })
    for (let i = 0; i < 20; i += 1) {
      frozen.process.kill('SIGSTOP')
      expect((await server.call({ token, body: lines(1) })).status).toBe(200)
      frozen.process.kill('SIGCONT')
      await frozen.call({ token, body: lines(1) })
    }
    isOver = true
    await Promise.all(load)
    await frozen.stop()
    expect(await verify(server)).toEqual(BALANCED)
    await server.stop()
  })
})

/** So many that they are pruned in several transactions. */
const OLD_EVENTS = 4_000

test('a server with many old events answers at once, and prunes them in the background', async () => {
  const first = await startServer()
  const { id, token } = await first.key('old@example.com')
  await first.stop()
  const address = `sqlite:${join(first.folder, 'keepfirst.db')}`
  const { store, kysely } = await openDatabase(address, randomBytes)
  const account = await store.findAccount('old@example.com')
  if (account === undefined) throw new Error('no account')
  const event = {
    account_id: account.id,
    key_id: id,
    mode: 'lines',
    rows: 1,
    removed: 0,
    units: 0,
    status: 200,
  } as const
  const old = Date.now() - 100 * 86_400_000
  for (let from = 0; from < OLD_EVENTS; from += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, i) => ({ ...event, at: old + from + i, duration_ms: 1 }))
    await kysely.insertInto('usage_events').values(events).execute()
  }
  await store.close()
  const server = await startServer({ folder: first.folder })
  const countOld = async () => {
    const database = await openDatabase(address, randomBytes)
    const rows = await database.kysely
      .selectFrom('usage_events')
      .select('id')
      .where('at', '<', old + OLD_EVENTS)
      .execute()
    await database.store.close()
    return rows.length
  }
  expect((await server.call({ token, body: lines(2) })).status).toBe(200)
  while ((await countOld()) > 0) expect((await server.call({ token, body: lines(1) })).status).toBe(200)
  expect(await verify(server)).toEqual(BALANCED)
  await server.stop()
})
