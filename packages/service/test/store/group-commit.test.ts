import { expect, test } from 'vitest'
import type { Entry, Outcome } from '../../src/store/books.ts'
import { BadEntry } from '../../src/store/database.ts'
import { GroupCommit } from '../../src/store/group-commit.ts'

/** An entry that can be told from others by its units. */
function entry(units: number): Entry {
  return { kind: 'keyless charge', charge: { client: 'c', at: 0, units } }
}

function unitsOf(entries: readonly Entry[]): number[] {
  return entries.map((one) => (one.kind === 'keyless charge' ? one.charge.units : Number.NaN))
}

const SPENT: Outcome = { outcome: 'day spent' }

/** A database whose commits end when the test says so. */
function slowDatabase() {
  const batches: { units: number[]; end: (error?: Error) => void }[] = []
  const books = new GroupCommit(
    (entries) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error === undefined ? resolve(entries.map(() => SPENT)) : reject(error))
        batches.push({ units: unitsOf(entries), end })
      }),
  )
  return { books, batches }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

test('what comes while a commit is under way goes into the next one together', async () => {
  const { books, batches } = slowDatabase()
  const first = books.put(entry(1))
  await until(() => batches.length === 1)
  const rest = [books.put(entry(2)), books.put(entry(3)), books.put(entry(4))]
  batches[0]?.end()
  await first
  await until(() => batches.length === 2)
  batches[1]?.end()
  await Promise.all(rest)
  expect(batches.map(({ units }) => units)).toEqual([[1], [2, 3, 4]])
})

test('an entry is not answered before its own commit', async () => {
  const { books, batches } = slowDatabase()
  const first = books.put(entry(1))
  await until(() => batches.length === 1)
  let answered = false
  const second = books.put(entry(2)).then(() => {
    answered = true
  })
  batches[0]?.end()
  await first
  await until(() => batches.length === 2)
  expect(answered).toBe(false)
  batches[1]?.end()
  await second
})

test('one commit at a time', async () => {
  let under = 0
  const books = new GroupCommit(async (entries) => {
    under += 1
    expect(under).toBe(1)
    await turn()
    under -= 1
    return entries.map(() => SPENT)
  })
  await Promise.all(Array.from({ length: 1_000 }, (_, i) => books.put(entry(i))))
})

test('an entry that the database will not take fails alone', async () => {
  const books = new GroupCommit(async (entries) => {
    if (unitsOf(entries).includes(3)) throw new BadEntry('three')
    return entries.map(() => SPENT)
  })
  const settled = await Promise.allSettled([1, 2, 3, 4].map((units) => books.put(entry(units))))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a database that is down is asked once, not once an entry', async () => {
  let asked = 0
  const books = new GroupCommit(async () => {
    asked += 1
    throw new Error('down')
  })
  const settled = await Promise.allSettled([1, 2, 3].map((units) => books.put(entry(units))))
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toBe(1)
})

test('after a failure the next commit is tried', async () => {
  const { books, batches } = slowDatabase()
  const failing = books.put(entry(1))
  await until(() => batches.length === 1)
  batches[0]?.end(new Error('down'))
  await expect(failing).rejects.toThrow('down')
  const next = books.put(entry(2))
  await until(() => batches.length === 2)
  batches[1]?.end()
  await next
})

test('idle waits for what is queued', async () => {
  const { books, batches } = slowDatabase()
  const done: number[] = []
  for (const units of [1, 2]) void books.put(entry(units)).then(() => done.push(units))
  const idle = books.idle()
  await until(() => batches.length === 1)
  batches[0]?.end()
  await idle
  expect(done).toEqual([1, 2])
})
