import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AccountPlan } from '@keepfirst/protocol'
import { afterAll, describe } from 'vitest'
import { sharedPostgres } from '../../../../tests/support/shared-postgres.ts'
import { usesPostgres } from '../../../../tests/support/store-selection.ts'
import { wrongSums } from '../../../../tests/support/sums.ts'
import { type OpenDatabase, openDatabase } from '../../src/store/open.ts'
import type { Charge, Key, KeyHolder, Store, Ticket } from '../../src/store/store.ts'

/** Noon of a day in the middle of a month. */
export const NOON: number = Date.UTC(2026, 2, 15, 12)
export const MONTH = '2026-03'
export const SECOND = 1_000
export const HOUR: number = 3_600 * SECOND
export const DAY: number = 24 * HOUR

/** Databases of one kind. They are closed after the last test. */
export interface Databases {
  /** A database that the tests of a group share; each uses its own accounts. */
  shared(): Promise<OpenDatabase>
  /** The address of a new, empty database. */
  create(): Promise<string>
  open(address: string): Promise<OpenDatabase>
}

/** Runs the same tests with SQLite and PostgreSQL. */
export function describeBothStores(title: string, body: (databases: Databases) => void): void {
  describe.each([
    { kind: 'sqlite', make: sqliteDatabases },
    ...(usesPostgres ? [{ kind: 'postgres', make: postgresDatabases }] : []),
  ])(`${title} ($kind)`, ({ make }) => body(make()))
}

function sqliteDatabases(): Databases {
  const folder = mkdtempSync(join(tmpdir(), 'keepfirst-store-'))
  let count = 0
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return keeping(async () => {
    count += 1
    return `sqlite:${join(folder, `${count}.db`)}`
  })
}

export function postgresDatabases(): Databases {
  return keeping(async () => (await sharedPostgres()).createDatabase())
}

function keeping(create: () => Promise<string>): Databases {
  const opened: Promise<OpenDatabase>[] = []
  let shared: Promise<OpenDatabase> | undefined
  afterAll(async () => {
    for (const database of opened) await (await database).store.close()
  })
  const open = (address: string): Promise<OpenDatabase> => {
    const database = openDatabase(address, randomBytes)
    opened.push(database)
    return database
  }
  return {
    create,
    open,
    shared() {
      shared ??= create().then(open)
      return shared
    },
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

let keyCount = 0

/** Creates a key of the account with this address, on this plan. The account is created if necessary. */
export async function newKey(store: Store, plan: AccountPlan = 'free', email: string = newEmail()): Promise<Key> {
  const account = await store.ensureAccount(email, NOON)
  await store.setPlan(account.id, plan)
  keyCount += 1
  const hash = hashOf(`token ${keyCount}`)
  const key = await store.createKey({ accountId: account.id, name: 'k', prefix: 'kf_live_0123', hash, createdAt: NOON })
  if (typeof key === 'string') throw new Error(key)
  return key
}

export async function newHolder(store: Store, plan: AccountPlan = 'free', email?: string): Promise<KeyHolder> {
  const { id, accountId } = await newKey(store, plan, email)
  return { keyId: id, accountId, plan }
}

/** Collects all rows of a paged list. */
export async function all<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

let addresses = 0
/** The keyed hash of an address that no other test uses. */
export function newAddressHash(): string {
  addresses += 1
  return hashOf(`address ${addresses}`)
}

let emails = 0
export function newEmail(): string {
  emails += 1
  return `person${emails}@example.org`
}

export function charge(holder: KeyHolder, units: number, at: number = NOON): Charge {
  return { holder, at, mode: 'lines', rows: units, units }
}

/** A row of `usage_events`: an answered call of one line. */
export function eventRow(account_id: string, at: number, units: number) {
  return {
    account_id,
    key_id: 'k',
    at,
    mode: 'lines' as const,
    rows: 1,
    removed: 0,
    units,
    status: 200,
    duration_ms: 1,
  }
}

/** Charges and expects to be admitted. */
export async function admitted(store: Store, holder: KeyHolder, units: number, at: number = NOON): Promise<Ticket> {
  const admission = await store.admit(charge(holder, units, at))
  if (admission.outcome !== 'admitted') throw new Error(`refused: ${admission.outcome}`)
  return admission.ticket
}

export const OK = { status: 200, removed: 1, durationMs: 2 }
export const FAILED = { status: 500, removed: null, durationMs: 3 }

/** The counter of an account's used units in a month. */
export async function used(store: Store, { accountId }: { accountId: string }, month: string = MONTH): Promise<number> {
  const [usage] = await all(store.monthPages({ accountId, month }))
  return usage?.used ?? Number.NaN
}

/**
 * Counters of these accounts that differ from the sum of the units in their month's events and day sums, and sums that
 * differ from those of their events. Empty if the ledger balances.
 */
export async function imbalances(database: OpenDatabase, accountIds: readonly string[]): Promise<readonly unknown[]> {
  const { kysely } = database
  const of = <T extends { account_id: string }>(rows: readonly T[]): readonly T[] =>
    rows.filter(({ account_id }) => accountIds.includes(account_id))
  const months = of(await kysely.selectFrom('usage_months').selectAll().execute())
  const events = of(await kysely.selectFrom('usage_events').select(['account_id', 'at', 'units']).execute())
  const days = of(await kysely.selectFrom('usage_days').select(['account_id', 'day', 'units']).execute())
  const sums = new Map<string, number>()
  const add = (name: string, units: number): void => void sums.set(name, (sums.get(name) ?? 0) + units)
  for (const { account_id, month, used } of months) add(`${account_id} ${month}`, used)
  for (const { account_id, at, units } of events) {
    add(`${account_id} ${new Date(at).toISOString().slice(0, 7)}`, -units)
  }
  for (const { account_id, day, units } of days) add(`${account_id} ${day.slice(0, 7)}`, -units)
  const wrong = [...sums].filter(([, difference]) => difference !== 0)
  return [...wrong, ...(await wrongSums(database, accountIds))]
}
