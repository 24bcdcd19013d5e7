import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/store/open.ts'
import { PendingFile } from '../../src/store/pending-file.ts'
import { openForWriting } from '../../src/store/sqlite-driver.ts'
import type { KeyHolder, Store, Ticket } from '../../src/store/store.ts'
import { admitted, all, charge, FAILED, MONTH, NOON, newAddressHash, newHolder, OK, used } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-sqlite-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
async function openFresh(): Promise<OpenDatabase & { readonly path: string; readonly pendingFile: string }> {
  count += 1
  const path = join(folder, `${count}.db`)
  const pendingFile = join(folder, `${count}-pending.jsonl`)
  const database = await openDatabase(`sqlite:${path}`, randomBytes, { pendingFile: new PendingFile(pendingFile) })
  return { ...database, path, pendingFile }
}

/** Prevents the file from growing, as on a full disk. Resolves once a charge has been refused because of it. */
async function fillUp({ store, kysely }: OpenDatabase): Promise<void> {
  await sql`pragma max_page_count = 1`.execute(kysely) // as many as there are
  let isFull = false
  while (!isFull) {
    isFull = await store.admitKeyless({ addressHash: newAddressHash(), at: NOON, units: 1 }).then(
      () => false,
      () => true,
    )
  }
}

async function makeRoom({ kysely }: OpenDatabase): Promise<void> {
  await sql`pragma max_page_count = 1000000`.execute(kysely)
}

/** Charges many calls, fills the disk, and then refunds or completes them all. */
async function endCallsOnFullDisk(database: OpenDatabase, holder: KeyHolder): Promise<void> {
  const { store } = database
  const tickets: Ticket[] = []
  for (let i = 0; i < CALLS; i += 1) tickets.push(await admitted(store, holder, 100))
  await fillUp(database)
  for (const [position, ticket] of tickets.entries()) {
    if (position % 2 === 0) await store.refund(ticket, FAILED)
    else store.complete(ticket, OK)
  }
  await store.flush()
}

/** Expects that every second call was refunded and the others completed. */
async function expectAllEnded(store: Store, holder: KeyHolder): Promise<void> {
  const events = await all(store.eventPages({ accountId: holder.accountId, month: MONTH }))
  const ends = events.map(({ units, status }) => `${units} ${status}`)
  expect(ends.filter((end) => end === '0 500')).toHaveLength(CALLS / 2)
  expect(ends.filter((end) => end === '100 200')).toHaveLength(CALLS / 2)
  expect(await used(store, holder)).toBe((CALLS / 2) * 100)
  expect(await store.imbalances()).toEqual([])
}

const CALLS = 200

describe.concurrent('a full disk', () => {
  test('refunds and completions are not lost: they are queued and written once there is room', async () => {
    const database = await openFresh()
    const { store } = database
    const holder = await newHolder(store, 'pro')
    await endCallsOnFullDisk(database, holder)
    expect(store.ledgerState().notes).toBeGreaterThan(0)
    await makeRoom(database)
    while (store.ledgerState().notes > 0) await store.flush()
    await expectAllEnded(store, holder)
    await store.ready()
    await store.close()
  })

  test('what could not be written before a stop is written by the next start', async () => {
    const database = await openFresh()
    const holder = await newHolder(database.store, 'pro')
    await endCallsOnFullDisk(database, holder)
    await database.store.close()
    expect(readFileSync(database.pendingFile, 'utf8')).toContain('"refunds":[{')
    const again = await openDatabase(`sqlite:${database.path}`, randomBytes, {
      pendingFile: new PendingFile(database.pendingFile),
    })
    await again.store.flush()
    expect(existsSync(database.pendingFile)).toBe(false)
    await expectAllEnded(again.store, holder)
    await again.store.close()
  })
})

test.concurrent('while another program holds the write lock, keys are still looked up; charges are rejected and not billed', async () => {
  const { store, path } = await openFresh()
  const holder = await newHolder(store)
  await admitted(store, holder, 5)
  const otherProgram = openForWriting(path)
  otherProgram.exec('begin immediate')
  const refused = store.admit(charge(holder, 7)).then(
    () => 'admitted',
    () => 'rejected',
  )
  expect(await store.findHolder('nobody')).toBeUndefined()
  expect(await all(store.monthPages({ month: MONTH }))).toHaveLength(1)
  expect(await Promise.race([refused, Promise.resolve('still waiting')])).toBe('still waiting')
  expect(await refused).toBe('rejected')
  otherProgram.exec('rollback')
  otherProgram.close()
  await admitted(store, holder, 9)
  expect(await used(store, holder)).toBe(14)
  expect(await store.imbalances()).toEqual([])
  await store.close()
})

describe.concurrent('a database file that has disappeared', () => {
  const expectRefusals = async (store: Store, holder: KeyHolder, says: string): Promise<void> => {
    await expect(store.admit(charge(holder, 7))).rejects.toThrow(says)
    await expect(store.ready()).rejects.toThrow(says)
    await expect(store.setPlan(holder.accountId, 'pro')).rejects.toThrow(says)
  }

  test('deleted: nothing is charged and the store is not ready until the file is back', async () => {
    const { store, path } = await openFresh()
    const holder = await newHolder(store)
    await admitted(store, holder, 5)
    renameSync(path, `${path}-away`)
    await expectRefusals(store, holder, 'was deleted')
    renameSync(`${path}-away`, path)
    await admitted(store, holder, 9)
    await store.ready()
    expect(await used(store, holder)).toBe(14)
    await store.close()
  })

  test('replaced by another file: nothing is charged', async () => {
    const { store, path } = await openFresh()
    const holder = await newHolder(store)
    writeFileSync(`${path}-other`, '')
    renameSync(`${path}-other`, path)
    await expectRefusals(store, holder, 'was replaced by another one')
    await store.close()
  })
})
