import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ChargeRequest, ticketOf } from '../../src/store/charge-group.ts'
import { identifiers } from '../../src/store/identifiers.ts'
import { Ledger, type LedgerReport, type Unwritten } from '../../src/store/ledger.ts'
import {
  AnswerLost,
  BadEntry,
  type BatchAnswer,
  Contended,
  type LedgerBatch,
  type LedgerDriver,
} from '../../src/store/ledger-driver.ts'
import type { KeyedTicket } from '../../src/store/store.ts'
import { ManualClock, turns } from '../support/manual-clock.ts'

const OK = { status: 200, removed: 1, durationMs: 2 }
const FAILED = { status: 500, removed: null, durationMs: 3 }
const LIMIT = 1_000
const TWO = { requests: 2, windowSeconds: 60 }

interface Sent {
  readonly batch: LedgerBatch
  /** Admits all charges of the batch. */
  answer(): void
  /** Answers the charges of each account with these values. */
  answerMonths(months: BatchAnswer['months']): void
  fail(error: Error): void
}

/** A database whose commits end when the test decides. */
class FakeDriver implements LedgerDriver {
  readonly sent: Sent[] = []
  readonly concurrency: number
  settled: (BatchAnswer | 'never' | Error)[] = []

  constructor(concurrency = 1) {
    this.concurrency = concurrency
  }

  write(batch: LedgerBatch): Promise<BatchAnswer> {
    return new Promise((resolve, reject) => {
      const days = batch.days.map(({ units }) => [units, 0] as const)
      const answerMonths = (months: BatchAnswer['months']): void => resolve({ months, days })
      this.sent.push({
        batch,
        answerMonths,
        answer: () => answerMonths(batch.months.map(({ units }) => [units, 0] as const)),
        fail: reject,
      })
    })
  }

  async settle(): Promise<BatchAnswer | 'never'> {
    const next = this.settled.shift() ?? new Error('down')
    if (next instanceof Error) throw next
    return next
  }

  last(): Sent {
    const sent = this.sent.at(-1)
    if (sent === undefined) throw new Error('nothing was sent')
    return sent
  }
}

function setUp(concurrency?: number) {
  const driver = new FakeDriver(concurrency)
  const clock = new ManualClock()
  const reports: LedgerReport[] = []
  const ledger = new Ledger({
    driver,
    clock,
    newId: identifiers(randomBytes),
    report: (report) => void reports.push(report),
  })
  return { driver, clock, reports, ledger }
}

/** A ledger that has written a charge, but not yet when its key was used. */
async function setUpWithKeyUsed() {
  const parts = setUp()
  const charge = parts.ledger.charge(keyed('a', 1), undefined)
  await turns()
  parts.driver.last().answer()
  await charge
  return parts
}

let ids = 0
function request(counter: string, units: number, burst: ChargeRequest['keyed'] = undefined): ChargeRequest {
  ids += 1
  return { id: `charge ${ids}`, counter, period: 'today', at: 0, units, limit: LIMIT, keyed: burst }
}

function keyed(accountId: string, units: number, burst = TWO): ChargeRequest {
  const call = { mode: 'lines', rows: units } as const
  return request(accountId, units, { keyId: `key of ${accountId}`, burst, call })
}

function keyedTicket(charge: ChargeRequest): KeyedTicket {
  const ticket = ticketOf(charge)
  if (ticket.kind !== 'keyed') throw new Error('no key')
  return ticket
}

const chargedDays = ({ batch }: Sent) => batch.days.map(({ counter, units }) => [counter, units])
const outcomes = async (charges: readonly Promise<{ outcome: string }>[]): Promise<string[]> =>
  (await Promise.allSettled(charges)).map((settled) =>
    settled.status === 'fulfilled' ? settled.value.outcome : `rejected: ${settled.reason.message}`,
  )

describe('group commit', () => {
  test('charges that arrive during a commit go into the next one together', async () => {
    const { driver, ledger } = setUp()
    const first = ledger.charge(request('a', 1), undefined)
    await turns()
    const rest = [2, 3, 4].map((units) => ledger.charge(request(`c${units}`, units), undefined))
    await turns()
    expect(driver.sent).toHaveLength(1)
    driver.last().answer()
    await first
    await turns()
    expect(driver.sent.map(chargedDays)).toEqual([
      [['a', 1]],
      [
        ['c2', 2],
        ['c3', 3],
        ['c4', 4],
      ],
    ])
    driver.last().answer()
    await Promise.all(rest)
  })

  test('the next batch is sent before the answers to the last one go out', async () => {
    const { driver, ledger } = setUp()
    const sentAtAnswer = ledger.charge(request('a', 1), undefined).then(() => driver.sent.length)
    await turns()
    const next = ledger.charge(request('b', 1), undefined)
    driver.last().answer()
    expect(await sentAtAnswer).toBe(2)
    driver.last().answer()
    await next
  })

  test('charges of one counter are added up, and commits of different counters run concurrently', async () => {
    const { driver, ledger } = setUp(2)
    const charges = [1, 2, 3].map((units) => ledger.charge(request('a', units), undefined))
    await turns()
    charges.push(ledger.charge(request('a', 9), undefined), ledger.charge(request('b', 5), undefined))
    await turns()
    expect(driver.sent.map(chargedDays)).toEqual([[['a', 6]], [['b', 5]]])
    for (const sent of [...driver.sent]) sent.answer()
    await turns()
    expect(chargedDays(driver.last())).toEqual([['a', 9]])
    driver.last().answer()
    expect(await outcomes(charges)).toEqual(Array(5).fill('admitted'))
  })

  test('a charge is not answered before its commit', async () => {
    const { driver, ledger } = setUp()
    const order: string[] = []
    void ledger.charge(request('a', 1), undefined).then(() => order.push('a'))
    await turns()
    void ledger.charge(request('b', 1), undefined).then(() => order.push('b'))
    driver.last().answer()
    await turns()
    expect(order).toEqual(['a'])
    driver.last().answer()
    await turns()
    expect(order).toEqual(['a', 'b'])
  })
})

describe('a counter without room for all charges', () => {
  test('admits those that fit, in order; a later, smaller charge may still fit', async () => {
    const { driver, ledger } = setUp()
    const charges = [300, 400, 100].map((units) => ledger.charge(keyed('a', units), undefined))
    charges.push(ledger.charge(keyed('a', 700), undefined))
    await turns()
    driver.last().answerMonths([[null, 450]])
    await turns()
    expect(driver.last().batch.months).toEqual([{ counter: 'a', period: 'today', units: 400, room: 600 }])
    driver.last().answerMonths([[850, 450]])
    expect(await Promise.all(charges)).toMatchObject([
      { outcome: 'admitted' },
      { outcome: 'spent', used: 750 },
      { outcome: 'admitted' },
      { outcome: 'spent', used: 850 },
    ])
  })

  test('refuses all without a second commit if none fits, and releases the burst reservations', async () => {
    const { driver, ledger } = setUp()
    const refused = [ledger.charge(keyed('a', 200), undefined), ledger.charge(keyed('a', 300), undefined)]
    await turns()
    driver.last().answerMonths([[null, 900]])
    expect(await outcomes(refused)).toEqual(['spent', 'spent'])
    const next = [1, 2, 3].map((units) => ledger.charge(keyed('a', units), undefined))
    await turns()
    driver.last().answerMonths([[903, 900]])
    expect(await Promise.all(next)).toMatchObject([
      { outcome: 'admitted' },
      { outcome: 'admitted' },
      { outcome: 'burst', limit: TWO, retryAfterSeconds: 60 },
    ])
    expect(driver.sent).toHaveLength(2)
  })
})

describe('callers that have disconnected', () => {
  test('are dropped when the batch is assembled: nothing is charged, and no reservation is kept', async () => {
    const { driver, ledger } = setUp()
    const gone = { aborted: false }
    const first = ledger.charge(keyed('a', 1), undefined)
    await turns()
    const charges = [ledger.charge(keyed('a', 5), gone), ledger.charge(keyed('a', 7), undefined)]
    gone.aborted = true
    driver.last().answer()
    await first
    await turns()
    expect(driver.last().batch.charges.map(({ units }) => units)).toEqual([7])
    driver.last().answer()
    expect(await outcomes(charges)).toEqual(['withdrawn', 'admitted'])
  })
})

describe('a commit whose answer is lost', () => {
  const loseAnswer = async (settled: FakeDriver['settled']) => {
    const parts = setUp()
    const charge = keyed('a', 5)
    const answer = parts.ledger.charge(charge, undefined)
    await turns()
    parts.driver.settled = settled
    parts.driver.last().fail(new AnswerLost('cut'))
    await turns()
    return { ...parts, charge, answer }
  }
  const written: BatchAnswer = { months: [[5, 0]], days: [] }

  test('is accepted if it was written', async () => {
    const { answer, driver } = await loseAnswer([written])
    expect((await answer).outcome).toBe('admitted')
    expect(driver.sent).toHaveLength(1)
  })

  test('is repeated if it was not written and never will be', async () => {
    const { answer, driver } = await loseAnswer(['never'])
    expect(driver.sent).toHaveLength(2)
    expect(driver.sent[1]?.batch.id).not.toBe(driver.sent[0]?.batch.id)
    driver.last().answer()
    expect((await answer).outcome).toBe('admitted')
  })

  test('is looked up until there is an answer', async () => {
    const { answer, driver, clock } = await loseAnswer([new Error('down'), new Error('down'), written])
    await clock.advance(1_000)
    expect((await answer).outcome).toBe('admitted')
    expect(driver.settled).toEqual([])
  })

  test('is refunded if it was written but its caller has been refused', async () => {
    const { answer, driver, clock, charge } = await loseAnswer(Array(12).fill(new Error('down')))
    const outcome = outcomes([answer])
    await clock.advance(6_000)
    expect(await outcome).toEqual(['rejected: the database did not decide in time'])
    driver.settled = [written]
    for (const { answer: answerLastUses } of driver.sent.slice(1)) answerLastUses()
    await clock.advance(2_000)
    expect(driver.last().batch.refunds).toMatchObject([{ id: charge.id, units: 5, status: 503 }])
  })

  test('is not refunded if the counter had no room, and its caller has been refused', async () => {
    const { answer, driver, clock, ledger } = await loseAnswer([])
    const outcome = outcomes([answer])
    await clock.advance(6_000)
    await outcome
    driver.settled = [{ months: [[null, LIMIT]], days: [] }]
    for (const { answer: answerLastUses } of driver.sent.slice(1)) answerLastUses()
    await clock.advance(2_000)
    expect([driver.settled, ledger.ledgerState().refunds]).toEqual([[], 0])
    expect(driver.sent.flatMap(({ batch }) => batch.refunds)).toEqual([])
  })

  test('does not delay other counters', async () => {
    const { ledger, driver } = await loseAnswer([])
    const other = ledger.charge(request('b', 1), undefined)
    await turns()
    driver.last().answer()
    expect((await other).outcome).toBe('admitted')
  })
})

describe('a database that does not answer', () => {
  test('a charge that waits for its turn is abandoned after 5 s and never sent', async () => {
    const { ledger, clock, driver } = setUp()
    const first = ledger.charge(request('a', 1), undefined)
    await turns()
    const second = ledger.charge(request('a', 2), undefined)
    const both = outcomes([first, second])
    await clock.advance(5_100)
    expect(await both).toEqual(Array(2).fill('rejected: the database did not decide in time'))
    driver.last().answer()
    await turns()
    expect(driver.sent.map(chargedDays)).toEqual([[['a', 1]], []])
    expect(driver.last().batch.dayRefunds).toEqual([{ client: 'a', period: 'today', units: 1 }])
  })

  test('if it is down, all charges of a batch are rejected together, and the next commit is attempted', async () => {
    const { ledger, driver } = setUp()
    const charges = ['a', 'b', 'c'].map((counter) => ledger.charge(request(counter, 1), undefined))
    await turns()
    driver.last().fail(new Error('down'))
    expect(await outcomes(charges)).toEqual(Array(3).fill('rejected: down'))
    const next = ledger.charge(request('a', 1), undefined)
    await turns()
    driver.last().answer()
    expect((await next).outcome).toBe('admitted')
    expect(driver.sent).toHaveLength(2)
  })
})

describe('a failing entry does not affect the others', () => {
  test('an entry that the database rejects', async () => {
    const { ledger, driver } = setUp()
    const charges = [1, 2, 3].map((units) => ledger.charge(request(`c${units}`, units), undefined))
    await turns()
    const ends = outcomes(charges)
    driver.last().fail(new BadEntry('two'))
    for (const units of [1, 2, 3]) {
      await turns()
      expect(chargedDays(driver.last())).toEqual([[`c${units}`, units]])
      if (units === 2) driver.last().fail(new BadEntry('two'))
      else driver.last().answer()
    }
    expect(await ends).toEqual(['admitted', 'rejected: two', 'admitted'])
  })

  test('one of several charges of a counter that are tried together', async () => {
    const { ledger, driver } = setUp()
    const answers = outcomes([1, 2, 3].map((units) => ledger.charge(request('a', units), undefined)))
    await turns()
    expect(chargedDays(driver.last())).toEqual([['a', 6]])
    driver.last().fail(new BadEntry('2'))
    for (let units = 1; units <= 3; units++) {
      await turns()
      expect(chargedDays(driver.last())).toEqual([['a', units]])
      if (units === 2) driver.last().fail(new BadEntry('2'))
      else driver.last().answer()
    }
    expect(await answers).toEqual(['admitted', 'rejected: 2', 'admitted'])
  })

  test('notes do not ride along with a charge of a locked counter', async () => {
    const { ledger, driver } = setUp()
    const charges = outcomes(['a', 'b'].map((counter) => ledger.charge(request(counter, 1), undefined)))
    await turns()
    driver.last().fail(new Contended('a or b'))
    await turns()
    ledger.complete(keyedTicket(keyed('c', 1)), OK)
    driver.last().answer()
    await turns()
    expect([chargedDays(driver.last()), driver.last().batch.completions]).toEqual([[['b', 1]], []])
    driver.last().answer()
    await charges
  })

  test('however many counters are locked, one of several commits is left to the others', async () => {
    const { ledger, driver } = setUp(2)
    const locked = outcomes(['a', 'b'].map((counter) => ledger.charge(request(counter, 1), undefined)))
    await turns()
    driver.last().fail(new Contended('a or b'))
    await turns()
    expect(driver.sent.slice(1).map(chargedDays)).toEqual([[['a', 1]]])
    const other = ledger.charge(request('c', 1), undefined)
    await turns()
    expect(chargedDays(driver.last())).toEqual([['c', 1]])
    driver.last().answer()
    expect((await other).outcome).toBe('admitted')
    driver.sent[1]?.answer()
    await turns()
    driver.last().answer()
    expect(await locked).toEqual(['admitted', 'admitted'])
  })

  test('a counter that another session has locked is committed separately from then on', async () => {
    const { ledger, driver } = setUp(2)
    const charge = (counter: string) => ledger.charge(request(counter, 1), undefined)
    const ends = outcomes([charge('held'), charge('free')])
    await turns()
    driver.last().fail(new Contended('held'))
    await turns()
    expect(chargedDays(driver.last())).toEqual([['held', 1]])
    const later = charge('another')
    await turns()
    expect(chargedDays(driver.last())).toEqual([['another', 1]])
    driver.last().answer()
    await later
    driver.sent[1]?.fail(new Contended('held'))
    await turns()
    expect(chargedDays(driver.last())).toEqual([['free', 1]])
    driver.last().answer()
    expect(await ends).toEqual(['rejected: held', 'admitted'])
    const again = charge('held')
    const free = charge('free')
    await turns()
    for (const sent of driver.sent.slice(-2)) expect(chargedDays(sent)).toHaveLength(1)
    for (const sent of driver.sent.slice(-2)) sent.answer()
    expect(await outcomes([again, free])).toEqual(['admitted', 'admitted'])
  })
})

describe('notes', () => {
  test('are written with the next charge, for which they wait a moment', async () => {
    const { ledger, driver, clock } = setUp()
    const charge = keyed('a', 1)
    ledger.complete(keyedTicket(charge), OK)
    await turns()
    expect(driver.sent).toHaveLength(0)
    const next = ledger.charge(keyed('b', 1), undefined)
    await turns()
    expect(driver.last().batch.completions).toMatchObject([{ id: charge.id, status: 200 }])
    driver.last().answer()
    await next
    ledger.complete(keyedTicket(charge), OK)
    await clock.advance(60)
    expect(driver.sent).toHaveLength(2)
    expect(driver.last().batch.completions).toHaveLength(1)
  })

  test('a refund does not share a commit with a charge of its counter', async () => {
    const { ledger, driver } = setUp()
    const charge = keyed('a', 4)
    const charged = ledger.charge(keyed('a', 1), undefined)
    const refunded = ledger.refund(keyedTicket(charge), FAILED)
    await turns()
    expect(driver.last().batch.refunds).toEqual([])
    driver.last().answer()
    await charged
    await turns()
    expect(driver.last().batch.refunds).toMatchObject([{ id: charge.id, units: 4 }])
    driver.last().answer()
    await refunded
  })

  test('a failed refund is retried until it is written; callers wait only for the first attempt', async () => {
    const { ledger, driver, clock } = setUp()
    const charge = keyed('a', 4)
    const refunded = ledger.refund(keyedTicket(charge), FAILED)
    await turns()
    driver.last().fail(new Error('disk is full'))
    await refunded
    for (let attempt = 2; attempt < 8; attempt += 1) {
      expect(ledger.ledgerState()).toEqual({ charges: 0, notes: 1, refunds: 1 })
      await clock.advance(5_100)
      expect(driver.sent).toHaveLength(attempt)
      driver.last().fail(new Error('disk is full'))
      await turns()
    }
    await clock.advance(5_100)
    driver.last().answer()
    await turns()
    expect(ledger.ledgerState()).toEqual({ charges: 0, notes: 0, refunds: 0 })
  })

  test('a note that the database rejects affects neither other notes nor charges', async () => {
    const { ledger, driver } = setUp()
    const charges = ['a', 'b', 'c'].map((account) => keyed(account, 4))
    for (const charge of charges) void ledger.refund(keyedTicket(charge), FAILED)
    await turns()
    driver.last().fail(new BadEntry('b'))
    const admitted = ledger.charge(keyed('d', 1), undefined)
    const written: string[] = []
    for (let sent = 0; sent < 4; sent += 1) {
      await turns()
      const { batch } = driver.last()
      written.push([...batch.refunds, ...batch.charges].map(({ accountId }) => accountId).join())
      if (written.at(-1) === 'b') driver.last().fail(new BadEntry('b'))
      else driver.last().answer()
    }
    await admitted
    await turns()
    expect(written.sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(ledger.ledgerState().notes).toBe(0)
  })

  test('closing the ledger leaves no timer that would keep the process alive', async () => {
    const { ledger, driver, clock } = await setUpWithKeyUsed()
    const closed = ledger.close(5_000)
    await turns()
    driver.last().answer()
    await closed
    expect(clock.planned).toBe(0)
  })

  test('the last use of a key is written every few seconds, not with every charge', async () => {
    const { ledger, driver, clock } = setUp()
    for (let second = 0; second < 12; second += 1) {
      void ledger.charge(keyed('a', 1, { requests: 100, windowSeconds: 60 }), undefined)
      await turns()
      driver.last().answer()
      await clock.advance(1_000)
      driver.last().answer()
    }
    expect(driver.sent.filter(({ batch }) => batch.lastUses.length > 0).length).toBeLessThanOrEqual(3)
  })

  test('flush writes everything immediately, including last uses', async () => {
    const { ledger, driver } = await setUpWithKeyUsed()
    const flushed = ledger.flush()
    await turns()
    expect(driver.last().batch.lastUses).toEqual([{ keyId: 'key of a', at: 0 }])
    driver.last().answer()
    await flushed
  })
})

describe('a stop', () => {
  test('returns what it could not write', async () => {
    const { ledger, driver, clock } = setUp()
    const charge = keyed('a', 4)
    void ledger.refund(keyedTicket(charge), FAILED)
    ledger.complete(keyedTicket(keyed('b', 1)), OK)
    const closed = ledger.close(200)
    await turns()
    driver.last().fail(new Error('down'))
    await clock.advance(200)
    const { notes, batches } = await closed
    expect(batches).toEqual([])
    expect(notes).toMatchObject({ refunds: [{ ticket: { chargeId: charge.id } }], completions: [{}] })
    await expect(ledger.charge(charge, undefined)).rejects.toThrow('closed')
  })

  test('returns any number of unwritten notes', async () => {
    const { ledger, driver, clock } = setUp()
    for (let count = 0; count < 2_000; count += 1) void ledger.refund(keyedTicket(keyed('a', 1)), FAILED)
    const closed = ledger.close(200)
    await turns()
    driver.last().fail(new Error('down'))
    await clock.advance(200)
    expect((await closed).notes.refunds).toHaveLength(2_000)
  })

  describe('while the outcome of a batch is unknown', () => {
    /** Closes a ledger with a charge and a keyless refund in a batch whose outcome is unknown. */
    async function stopped() {
      const { ledger, driver, clock } = setUp()
      const charge = keyed('a', 4)
      const answer = outcomes([ledger.charge(charge, undefined)])
      void ledger.refund({ kind: 'keyless', client: 'c', period: 'today', units: 3 }, FAILED)
      await turns()
      await clock.advance(5_100)
      expect(await answer).toEqual(['rejected: the database did not decide in time'])
      const closed = ledger.close(100)
      await clock.advance(100)
      const unwritten: Unwritten = JSON.parse(JSON.stringify(await closed))
      const next = setUp()
      return { charge, unwritten, batch: driver.last().batch, next }
    }

    test('the next start refunds its charges once if it was written', async () => {
      const { charge, unwritten, next } = await stopped()
      next.driver.settled = [new Error('down'), { months: [[4, 0]], days: [] }]
      next.ledger.resume(unwritten)
      expect(next.ledger.ledgerState()).toEqual({ charges: 1, notes: 1, refunds: 1 })
      await next.clock.advance(1_000)
      expect(next.driver.sent.map(({ batch }) => [batch.refunds, batch.dayRefunds])).toMatchObject([
        [[{ id: charge.id, units: 4, status: 503 }], []],
      ])
    })

    test('the next start refunds nothing if the counter had no room', async () => {
      const { unwritten, next } = await stopped()
      next.driver.settled = [{ months: [[null, LIMIT]], days: [] }]
      next.ledger.resume(unwritten)
      await next.clock.advance(100)
      expect(next.driver.sent).toEqual([])
      expect(next.ledger.ledgerState()).toEqual({ charges: 0, notes: 0, refunds: 0 })
    })

    test('closing waits for the outcome, and otherwise leaves it to the start after', async () => {
      const { unwritten, next } = await stopped()
      next.ledger.resume(unwritten)
      await next.clock.advance(100)
      const closed = next.ledger.close(1_000)
      await turns()
      next.driver.last().answer() // the last use of the key
      await next.clock.advance(999)
      expect(await Promise.race([closed, turns()])).toBeUndefined()
      await next.clock.advance(1)
      expect((await closed).batches).toEqual(unwritten.batches)
      await next.clock.advance(10_000)
      expect([next.driver.sent.length, next.clock.planned]).toEqual([1, 0])
    })

    test('the next start writes its notes if it was not written', async () => {
      const { unwritten, next } = await stopped()
      next.driver.settled = ['never']
      next.ledger.resume(unwritten)
      await next.clock.advance(100)
      expect(next.driver.sent.map(({ batch }) => [batch.refunds, batch.dayRefunds])).toEqual([
        [[], [{ client: 'c', period: 'today', units: 3 }]],
      ])
    })
  })
})

describe('what operators see', () => {
  const DOWN = new Error('down')

  test('charges and notes count as waiting until their commit has ended', async () => {
    const { ledger, driver } = setUp()
    const charges = [1, 2].map((units) => ledger.charge(keyed('a', units), undefined))
    ledger.complete(keyedTicket(keyed('b', 1)), OK)
    void ledger.refund(keyedTicket(keyed('c', 1)), FAILED)
    const waiting = { charges: 2, notes: 2, refunds: 1 }
    expect(ledger.ledgerState()).toEqual(waiting)
    await turns()
    expect(driver.last().batch.charges).toHaveLength(2)
    expect(ledger.ledgerState()).toEqual(waiting)
    driver.last().answer()
    expect(await outcomes(charges)).toEqual(['admitted', 'admitted'])
    expect(ledger.ledgerState()).toEqual({ charges: 0, notes: 0, refunds: 0 })
  })

  test('a commit: how many charges it decided, and how long it took', async () => {
    const { ledger, driver, clock, reports } = setUp()
    const charges = ['a', 'b'].map((account) => ledger.charge(keyed(account, 1), undefined))
    await clock.advance(7)
    driver.last().answer()
    await Promise.all(charges)
    await turns()
    expect(reports).toEqual([{ kind: 'written', charges: 2, durationMs: 7 }])
  })

  test.each([
    { name: 'written', settled: { months: [[1, 0]], days: [] } satisfies BatchAnswer, wasWritten: true },
    { name: 'not written', settled: 'never' as const, wasWritten: false },
  ])('a lost answer, and its outcome: $name', async ({ settled, wasWritten }) => {
    const { ledger, driver, reports } = setUp()
    const answer = ledger.charge(keyed('a', 1), undefined)
    await turns()
    driver.settled = [settled]
    const error = new AnswerLost('cut')
    driver.last().fail(error)
    await turns()
    expect(reports.slice(0, 2)).toEqual([
      { kind: 'answer lost', error },
      { kind: 'settled', wasWritten },
    ])
    if (!wasWritten) driver.last().answer()
    expect((await answer).outcome).toBe('admitted')
  })

  test('while an outcome is unknown, another batch is under way; afterwards, only one at a time', async () => {
    const { ledger, driver, clock } = setUp()
    const lost = ledger.charge(keyed('a', 1), undefined)
    await turns()
    driver.last().fail(new AnswerLost('cut'))
    await turns()
    driver.settled = [{ months: [[1, 0]], days: [] }]
    await clock.advance(50)
    expect((await lost).outcome).toBe('admitted')
    const sent = driver.sent.length
    for (const account of ['b', 'c']) {
      void ledger.charge(keyed(account, 1), undefined)
      await turns()
    }
    expect(driver.sent).toHaveLength(sent + 1)
  })

  test('a failure, with what still waits', async () => {
    const { ledger, driver, reports } = setUp()
    const answer = outcomes([ledger.charge(keyed('a', 1), undefined)])
    void ledger.refund(keyedTicket(keyed('b', 1)), FAILED)
    await turns()
    driver.last().fail(DOWN)
    expect(await answer).toEqual(['rejected: down'])
    await turns()
    expect(reports).toEqual([{ kind: 'failed', error: DOWN, state: { charges: 0, notes: 1, refunds: 1 } }])
  })

  test('a failure of charges alone does not delay notes', async () => {
    const { ledger, driver } = setUp()
    const answer = outcomes([ledger.charge(request('address', 1), undefined)])
    await turns()
    driver.last().fail(DOWN)
    await answer
    void ledger.refund(keyedTicket(keyed('b', 1)), FAILED)
    await turns()
    expect(driver.last().batch.refunds).toHaveLength(1)
  })

  test('a last use that the database rejects is dropped, too', async () => {
    const { ledger, driver, reports } = await setUpWithKeyUsed()
    const flushed = ledger.flush()
    await turns()
    expect(driver.last().batch.lastUses).toHaveLength(1)
    driver.last().fail(new BadEntry('bad'))
    await flushed
    expect(reports.map(({ kind }) => kind)).toEqual(['written', 'note dropped'])
  })

  test.each([
    { name: 'a note that the database will never accept', units: undefined, kinds: ['note dropped'] },
    { name: 'no note, if it is a charge', units: 1, kinds: [] },
  ])('a dropped note: $name', async ({ units, kinds }) => {
    const { ledger, driver, reports } = setUp()
    if (units === undefined) void ledger.refund(keyedTicket(keyed('a', 1)), FAILED)
    else void outcomes([ledger.charge(request('address', units), undefined)])
    await turns()
    driver.last().fail(new BadEntry('bad'))
    await turns()
    expect(reports).toEqual(kinds.map((kind) => ({ kind, error: new BadEntry('bad') })))
    expect(driver.sent).toHaveLength(1)
  })
})

describe('what is never written', () => {
  test.each([0.5, Number.NaN, 2 ** 53])('a charge of %d units', async (units) => {
    const { ledger, driver } = setUp()
    await expect(ledger.charge(request('a', units), undefined)).rejects.toThrow(`${units} is not a number of units`)
    await turns()
    expect(driver.sent).toEqual([])
  })

  test('the completion of a call without a key', async () => {
    const { ledger } = setUp()
    ledger.complete({ kind: 'keyless', client: 'address', period: 'today', units: 1 }, OK)
    expect(ledger.ledgerState().notes).toBe(0)
  })
})

describe('closing', () => {
  test('waits for the commit in progress, and for what is written after it', async () => {
    const { ledger, driver, clock } = setUp()
    const charge = keyed('a', 1)
    const answer = ledger.charge(charge, undefined)
    await turns()
    ledger.complete(keyedTicket(keyed('b', 1)), OK)
    let isClosed = false
    const closed = ledger.close(5_000).then((unwritten) => {
      isClosed = true
      return unwritten
    })
    await clock.advance(1_000)
    expect(isClosed).toBe(false)
    driver.last().answer()
    expect((await answer).outcome).toBe('admitted')
    await turns()
    expect([driver.last().batch.completions.length, isClosed]).toEqual([1, false])
    driver.last().answer()
    await clock.advance(100)
    const { notes, batches } = await closed
    expect([notes.completions, notes.lastUses, batches]).toEqual([[], [], []])
  })

  test('waits no longer than it may, and returns the batch whose outcome is unknown', async () => {
    const { ledger, driver, clock } = setUp()
    const charge = keyed('a', 1)
    void outcomes([ledger.charge(charge, undefined)])
    await turns()
    const closed = ledger.close(200)
    await clock.advance(199)
    const first = await Promise.race([closed, turns()])
    expect(first).toBeUndefined()
    await clock.advance(1)
    const { id } = driver.last().batch
    expect((await closed).batches).toMatchObject([{ id, charges: [{ part: 'months', take: 0 }] }])
    ledger.complete(keyedTicket(charge), OK)
    driver.last().answer()
    await turns()
    expect([driver.sent.length, clock.planned]).toEqual([1, 0])
  })
})
