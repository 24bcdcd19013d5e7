import { describe, expect, test } from 'vitest'
import { emptyParts } from '../../src/store/ledger-driver.ts'
import { NO_NOTES, NoteQueue, type Notes, SINGLE_REFUSALS, writeNotes } from '../../src/store/notes.ts'
import type { RefusedCall, Ticket } from '../../src/store/store.ts'
import { ManualClock } from '../support/manual-clock.ts'

/*
 * When and in which portions entries are written that nobody waits for, and that none is lost or written twice.
 */

const NOON = Date.UTC(2026, 10, 29, 12)
const COMPLETION = { status: 200, removed: 1, durationMs: 2.6 }
const FAILED = { status: 503, removed: null, durationMs: 2.4 }

const nobody = (): boolean => false

function keyed(chargeId: string, accountId = 'account') {
  return { kind: 'keyed', chargeId, accountId, at: NOON, units: 3 } as const satisfies Ticket
}

function refused(overrides: Partial<RefusedCall> & { keyId?: string } = {}): RefusedCall {
  const { keyId = 'key', ...rest } = overrides
  const holder = { accountId: 'account', keyId, plan: 'free' } as const
  return { holder, at: NOON, mode: 'rows', rows: 7, status: 429, durationMs: 1, ...rest }
}

function queueOf({ completions = 0, refunds = 0, refusals = 0 } = {}) {
  const clock = new ManualClock(NOON)
  const queue = new NoteQueue(clock)
  for (let at = 0; at < completions; at++) queue.complete({ ticket: keyed(`completion ${at}`), completion: COMPLETION })
  for (let at = 0; at < refunds; at++) queue.refund({ ticket: keyed(`refund ${at}`), completion: FAILED })
  for (let at = 0; at < refusals; at++) queue.refuse(refused({ keyId: `key ${at}` }))
  return { clock, queue }
}

function sizes(notes: Notes) {
  return Object.values(notes).map((each: readonly unknown[]) => each.length)
}

describe('notes are due', () => {
  test.each([
    { name: 'nothing', notes: {}, dueAfterMs: undefined },
    { name: 'a refund: at once', notes: { refunds: 1 }, dueAfterMs: 0 },
    { name: 'a completion: when it has waited 25 ms', notes: { completions: 1 }, dueAfterMs: 25 },
    { name: 'a refusal: when it has waited 25 ms', notes: { refusals: 1 }, dueAfterMs: 25 },
  ])('$name', async ({ notes, dueAfterMs }) => {
    const { clock, queue } = queueOf(notes)
    expect(queue.isDue(true)).toBe(dueAfterMs !== undefined)
    if (dueAfterMs) {
      await clock.advance(dueAfterMs - 1)
      expect(queue.isDue(false)).toBe(false)
      await clock.advance(1)
    }
    expect(queue.isDue(false)).toBe(dueAfterMs !== undefined)
  })

  test('the wait is counted from the oldest note, and starts again once all are taken', async () => {
    const { clock, queue } = queueOf({ completions: 1 })
    await clock.advance(20)
    queue.refuse(refused())
    await clock.advance(5)
    expect(queue.isDue(false)).toBe(true)
    queue.take(nobody, false)
    queue.complete({ ticket: keyed('another'), completion: COMPLETION })
    expect(queue.isDue(false)).toBe(false)
    await clock.advance(25)
    expect(queue.isDue(false)).toBe(true)
  })

  test('last uses of keys: every five seconds, with the latest time of each key', async () => {
    const { clock, queue } = queueOf()
    queue.touch('key', NOON + 1)
    queue.touch('key', NOON + 3)
    queue.touch('key', NOON + 2)
    await clock.advance(4_999)
    expect([queue.isDue(false), queue.size, queue.isEmpty]).toEqual([false, 0, false])
    expect(queue.take(nobody, false).lastUses).toEqual([])
    await clock.advance(1)
    expect(queue.isDue(false)).toBe(true)
    expect(queue.take(nobody, false).lastUses).toEqual([{ keyId: 'key', at: NOON + 3 }])
    queue.touch('key', NOON + 4)
    expect(queue.isDue(false)).toBe(false)
    expect(queue.take(nobody, true).lastUses).toEqual([{ keyId: 'key', at: NOON + 4 }])
  })

  test('after a failed write: after pauses that double up to five seconds, and at once after a success', async () => {
    const { clock, queue } = queueOf({ refunds: 1 })
    for (const pauseMs of [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]) {
      queue.pause()
      await clock.advance(pauseMs - 1)
      expect([queue.isPaused, queue.isDue(false), queue.isDue(true)]).toEqual([true, false, false])
      await clock.advance(1)
      expect([queue.isPaused, queue.isDue(false)]).toEqual([false, true])
    }
    queue.pause()
    queue.resume()
    expect(queue.isPaused).toBe(false)
    queue.pause()
    await clock.advance(250)
    expect(queue.isPaused).toBe(false)
  })
})

describe('one commit takes', () => {
  test.each([
    { name: 'all', notes: { completions: 2, refunds: 3, refusals: 4 }, taken: [2, 3, 4, 0, 0], left: 0 },
    { name: '512 completions', notes: { completions: 513 }, taken: [512, 0, 0, 0, 0], left: 1 },
    { name: '512 refunds', notes: { refunds: 513 }, taken: [0, 512, 0, 0, 0], left: 1 },
    { name: '512 refusals', notes: { refusals: 513 }, taken: [0, 0, 512, 0, 0], left: 1 },
  ])('$name', async ({ notes, taken, left }) => {
    const { clock, queue } = queueOf(notes)
    await clock.advance(25)
    expect(sizes(queue.take(nobody, false))).toEqual(taken)
    expect([queue.size, queue.isEmpty, queue.isDue(false)]).toEqual([left, left === 0, left > 0])
    expect(sizes(queue.take(nobody, false))).toEqual(taken.map((count) => (count === 512 ? 1 : 0)))
  })

  test('no refund of a counter that another batch holds', () => {
    const { queue } = queueOf()
    const keyless = { kind: 'keyless', period: '2026-11-29', units: 1 } as const
    for (const ticket of [keyed('1', 'busy'), { ...keyless, client: 'busy' }, { ...keyless, client: 'free' }])
      queue.refund({ ticket, completion: FAILED })
    const { refunds } = queue.take((counter) => counter === 'busy', false)
    expect(refunds.map(({ ticket }) => ticket)).toEqual([{ ...keyless, client: 'free' }])
    expect(queue.refunds).toBe(2)
  })
})

describe('refused calls', () => {
  test('beyond a hundred of a key within an hour, they are only counted, by key, day, mode and status', () => {
    const { queue } = queueOf()
    for (let at = 0; at < SINGLE_REFUSALS.requests; at++) queue.refuse(refused())
    for (const call of [
      refused(),
      refused({ rows: null }),
      refused({ status: 413 }),
      refused({ mode: null }),
      refused({ at: NOON + 12 * 3_600_000 - 1, rows: 1 }),
    ])
      queue.refuse(call)
    queue.refuse(refused({ keyId: 'another' }))
    const { refusals, refusalSums } = queue.take(nobody, false)
    expect(refusals).toHaveLength(SINGLE_REFUSALS.requests + 2)
    const sum = { accountId: 'account', keyId: 'key', day: '2026-11-29' }
    expect(refusalSums).toEqual([
      { ...sum, mode: 'rows', status: 429, calls: 2, rows: 7 },
      { ...sum, mode: 'rows', status: 413, calls: 1, rows: 7 },
      { ...sum, mode: '', status: 429, calls: 1, rows: 7 },
    ])
  })

  test('windows that have ended are dropped, and calls are recorded singly again', () => {
    const { queue } = queueOf()
    const hourLater = NOON + SINGLE_REFUSALS.windowSeconds * 1_000
    for (let at = 0; at <= SINGLE_REFUSALS.requests; at++) queue.refuse(refused())
    queue.dropEnded(hourLater)
    queue.refuse(refused({ at: hourLater }))
    expect(sizes(queue.take(nobody, false))).toEqual([0, 0, SINGLE_REFUSALS.requests + 1, 1, 0])
  })
})

describe('notes that could not be written', () => {
  const SUM = { accountId: 'account', keyId: 'key', day: '2026-11-29', mode: 'rows', status: 429, rows: 7 } as const
  const ONE_OF_EACH: Notes = {
    completions: [{ ticket: keyed('first'), completion: COMPLETION }],
    refunds: [{ ticket: keyed('refunded'), completion: FAILED }],
    refusals: [refused()],
    refusalSums: [{ ...SUM, calls: 2 }],
    lastUses: [{ keyId: 'key', at: NOON }],
  }

  test('go to the front, and counts are added up', async () => {
    const { clock, queue } = queueOf({ completions: 1, refunds: 1, refusals: 1 })
    queue.requeue(ONE_OF_EACH)
    queue.requeue({ ...NO_NOTES, refusalSums: [{ ...SUM, calls: 3 }] })
    await clock.advance(5_000)
    const notes = queue.take(nobody, false)
    expect(sizes(notes)).toEqual([2, 2, 2, 1, 1])
    expect(notes.completions[0]).toBe(ONE_OF_EACH.completions[0])
    expect(notes.refunds[0]).toBe(ONE_OF_EACH.refunds[0])
    expect(notes.refusals[0]).toBe(ONE_OF_EACH.refusals[0])
    expect(notes.refusalSums).toEqual([{ ...SUM, calls: 5, rows: 14 }])
    expect(notes.lastUses).toEqual(ONE_OF_EACH.lastUses)
  })

  test.each([
    { name: 'completions wait 25 ms again', notes: ONE_OF_EACH, after: [false, true] },
    {
      name: 'last uses alone wait five seconds',
      notes: { ...NO_NOTES, lastUses: ONE_OF_EACH.lastUses },
      after: [false, false],
    },
  ])('$name', async ({ notes, after }) => {
    const { clock, queue } = queueOf()
    queue.requeue({ ...notes, refunds: [] })
    const before = queue.isDue(false)
    await clock.advance(25)
    expect([before, queue.isDue(false)]).toEqual(after)
  })

  test('are written one by one, those of busy counters later', () => {
    const { queue } = queueOf()
    queue.requeueIndividually(ONE_OF_EACH)
    expect([queue.size, queue.refunds, queue.isEmpty]).toEqual([4, 1, false])
    expect(sizes(queue.take(nobody, true))).toEqual([0, 0, 0, 0, 0])
    const taken = Array.from({ length: 4 }, () => queue.takeSingle(() => true))
    expect(taken).toEqual([
      { ...NO_NOTES, completions: ONE_OF_EACH.completions },
      { ...NO_NOTES, refusals: ONE_OF_EACH.refusals },
      { ...NO_NOTES, refusalSums: ONE_OF_EACH.refusalSums },
      { ...NO_NOTES, lastUses: ONE_OF_EACH.lastUses },
    ])
    expect(queue.takeSingle(() => true)).toBeUndefined()
    expect(queue.takeSingle((counter) => counter !== 'account')).toEqual({
      ...NO_NOTES,
      refunds: ONE_OF_EACH.refunds,
    })
    expect([queue.takeSingle(nobody), queue.isEmpty]).toEqual([undefined, true])
  })

  test('a last use that is to be written alone keeps the queue from being empty', () => {
    const { queue } = queueOf()
    queue.requeueIndividually({ ...NO_NOTES, lastUses: ONE_OF_EACH.lastUses })
    expect([queue.size, queue.isEmpty, queue.isDue(true)]).toEqual([0, false, true])
  })

  test('are all handed over at the end', () => {
    const { queue } = queueOf({ completions: 1, refunds: 1, refusals: 1 })
    queue.requeueIndividually(ONE_OF_EACH)
    expect(sizes(queue.drain())).toEqual([2, 2, 2, 1, 1])
    expect([queue.isEmpty, sizes(queue.drain())]).toEqual([true, [0, 0, 0, 0, 0]])
  })
})

test('the rows of a batch have durations in whole milliseconds, and refunds their period', () => {
  const parts = emptyParts()
  const keyless = { kind: 'keyless', client: 'address', period: '2026-11-29', units: 2 } as const
  writeNotes(
    {
      completions: [{ ticket: keyed('completed'), completion: COMPLETION }],
      refunds: [
        { ticket: keyed('refunded'), completion: FAILED },
        { ticket: keyless, completion: FAILED },
      ],
      refusals: [refused({ durationMs: 1.5 })],
      refusalSums: [],
      lastUses: [{ keyId: 'key', at: NOON }],
    },
    parts,
  )
  const account = { accountId: 'account', at: NOON }
  expect(parts).toEqual({
    ...emptyParts(),
    completions: [{ ...account, id: 'completed', status: 200, removed: 1, durationMs: 3 }],
    refunds: [{ ...account, id: 'refunded', status: 503, removed: null, durationMs: 2, period: '2026-11', units: 3 }],
    dayRefunds: [{ client: 'address', period: '2026-11-29', units: 2 }],
    refusals: [{ ...account, keyId: 'key', mode: 'rows', rows: 7, status: 429, durationMs: 2 }],
    lastUses: [{ keyId: 'key', at: NOON }],
  })
})
