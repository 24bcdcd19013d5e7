import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/open.ts'
import { admitted, DAY, describeBothStores, imbalances, NOON, newHolder, used } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-open-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a new SQLite file and its folder are accessible only to this user', async () => {
  const path = join(folder, 'new', 'keepfirst.db')
  const { store } = await openDatabase(`sqlite:${path}`, randomBytes)
  await store.ensureAccount('a@b', NOON)
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  await store.close()
})

test('after the end of their day, the hashes of keyless addresses are no longer in any file', async () => {
  const path = join(folder, 'scrubbed.db')
  const { store } = await openDatabase(`sqlite:${path}`, randomBytes)
  const isKept = (hash: string) => [path, `${path}-wal`].some((file) => readFileSync(file).includes(hash))
  const hashes = Array.from({ length: 300 }, () => randomBytes(32).toString('hex'))
  for (const units of [1, 200]) {
    for (const addressHash of hashes) await store.admitKeyless({ addressHash, at: NOON, units })
  }
  expect(hashes.filter(isKept)).toHaveLength(hashes.length)
  await store.prune(NOON + DAY, 90)
  expect(hashes.filter(isKept)).toEqual([])
  await store.close()
})

test('a process that loses the SQLite thread ends with a message', () => {
  const script = fileURLToPath(new URL('../support/lost-thread-process.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, `sqlite:${join(folder, 'lost-thread.db')}`])
  expect(String(stderr)).toContain('the SQLite thread ended by itself')
  expect(status).not.toBe(0)
})

test.each([
  { name: 'no address', address: '', says: 'a database is sqlite:PATH or postgres://…' },
  { name: 'another database', address: 'mysql://h/d', says: 'a database is sqlite:PATH or postgres://…' },
  { name: 'no path', address: 'sqlite:', says: 'a database is sqlite:PATH or postgres://…' },
  ...['1/secret', '/secret', 'a/secret', '1?secret', '1#secret', '1/se?cret'].map((password) => ({
    name: `${password} not encoded`,
    address: `postgres://me:${password}@h/d`,
    says: /^a database is .* \(in a password, write %2F for \/, %3F for \? and %23 for #\)$/,
  })),
  {
    name: 'an unreachable server',
    address: 'postgres://me:secret@127.0.0.1:1/ledger',
    says: '127.0.0.1:1/ledger: connect',
  },
  {
    name: 'an @ in a parameter',
    address: 'postgres://127.0.0.1:1/ledger?user=me@h',
    says: '127.0.0.1:1/ledger: connect',
  },
  { name: 'a file of another kind', address: `sqlite:${fileOf('text', 'hello '.repeat(500))}`, says: 'not a database' },
  { name: 'a folder instead of a file', address: `sqlite:${folder}`, says: 'EISDIR' },
  { name: 'a file instead of a folder', address: `sqlite:${fileOf('file', '')}/x.db`, says: 'EEXIST' },
])(
  'the error for a database that cannot be opened is one line, without the password: $name',
  async ({ address, says }) => {
    const opening = openDatabase(address, randomBytes)
    const error: unknown = await opening.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (!(error instanceof Error)) throw new Error('it was opened')
    expect(error.message).toMatch(says)
    expect(error.message).not.toMatch(/\n|secret/)
  },
)

describeBothStores('opening', (databases) => {
  test('a database of a newer program is refused', async () => {
    const address = await databases.create()
    const { store, kysely } = await openDatabase(address, randomBytes)
    await kysely.insertInto('schema_migrations').values({ number: 1_000 }).execute()
    await store.close()
    await expect(openDatabase(address, randomBytes)).rejects.toThrow('newer version')
  })

  test('data is there again after reopening', async () => {
    const address = await databases.create()
    const before = await openDatabase(address, randomBytes)
    const holder = await newHolder(before.store)
    await admitted(before.store, holder, 5)
    await before.store.close()
    const after = await databases.open(address)
    expect(await used(after.store, holder)).toBe(5)
    expect(await imbalances(after, [holder.accountId])).toEqual([])
  })

  test('closing writes queued charges', async () => {
    const address = await databases.create()
    const { store } = await openDatabase(address, randomBytes)
    const holder = await newHolder(store, 'pro')
    const charges = Array.from({ length: 200 }, () => admitted(store, holder, 1))
    await store.close()
    await Promise.all(charges)
    const after = await databases.open(address)
    expect(await used(after.store, holder)).toBe(200)
  })

  test('after closing everything rejects', async () => {
    const { store } = await openDatabase(await databases.create(), randomBytes)
    const holder = await newHolder(store)
    await store.close()
    await expect(admitted(store, holder, 1)).rejects.toThrow()
    await expect(store.findHolder('hash')).rejects.toThrow()
    await expect(store.accountById('')).rejects.toThrow()
  })

  test('rolling back a transaction does not affect charges made meanwhile', async () => {
    const { store, kysely } = await databases.open(await databases.create())
    const holder = await newHolder(store, 'pro')
    let charges: Promise<unknown> = Promise.resolve()
    const failing = kysely.transaction().execute(async (trx) => {
      await trx.insertInto('keyless_days').values({ day: '2026-03-15', client: 'x', used: 1 }).execute()
      charges = Promise.all(Array.from({ length: 20 }, () => admitted(store, holder, 1)))
      await trx.selectFrom('keyless_days').selectAll().execute()
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await charges
    expect(await used(store, holder)).toBe(20)
    expect(await kysely.selectFrom('keyless_days').selectAll().execute()).toEqual([])
  })
})
