import { describe, expect, test } from 'vitest'
import { FixedWindowLimiter } from '../../src/limits/fixed-window-limiter.ts'
import { ChargeGroup, type ChargeOutcome } from '../../src/store/charge-group.ts'
import type { TakeAnswer } from '../../src/store/ledger-driver.ts'
import { type RecordedCharge, waitingCharge } from '../support/waiting-charge.ts'

/*
 * Charges of one counter, decided in a batch: the sum is tried first, then what fits (specification 8.2, 8.3).
 */

const BURST = { requests: 2, windowSeconds: 60 }
const AT = 1_000
const LIMIT = 100

function waitingFor(units: number, options: { burst?: boolean; isGivenUp?: boolean; isGone?: boolean } = {}) {
  return waitingCharge({ ...options, units, at: AT, limit: LIMIT, burst: options.burst ? BURST : null })
}

/** Lets a counter that starts at `used` decide, as often as the group asks; returns how often that was. */
function decide(group: ChargeGroup, limiter: FixedWindowLimiter, used: number): number {
  for (let tries = 1; ; tries++) {
    const take = group.choose(limiter)
    if (take === undefined) return tries - 1
    const answer: TakeAnswer = used <= take.room ? [used + take.units, used] : [null, used]
    if (!group.learn(answer, limiter)) return tries
  }
}

function outcomesOf(
  used: number,
  charges: readonly [RecordedCharge, ...RecordedCharge[]],
  limiter = new FixedWindowLimiter(),
) {
  const [first, ...rest] = charges
  const tries = decide(new ChargeGroup([first.waiting, ...rest.map(({ waiting }) => waiting)]), limiter, used)
  return { tries, outcomes: charges.map(({ outcomes }) => outcomes) }
}

const ADMITTED = [{ outcome: 'admitted' }]
const spentAt = (used: number): ChargeOutcome[] => [{ outcome: 'spent', used }]
const BURST_OUTCOME = [{ outcome: 'burst', limit: BURST, retryAfterSeconds: 60 }]

describe('a group of charges', () => {
  test.each([
    { name: 'all fit: one try', used: 0, units: [40, 60], tries: 1, outcomes: [ADMITTED, ADMITTED] },
    {
      name: 'the sum does not fit: what fits exactly is admitted in the second try',
      used: 0,
      units: [40, 61, 60],
      tries: 2,
      outcomes: [ADMITTED, spentAt(40), ADMITTED],
    },
    {
      name: 'nothing fits: all are refused with what has been used',
      used: 99,
      units: [2, 3],
      tries: 1,
      outcomes: [spentAt(99), spentAt(99)],
    },
    { name: 'the last unit', used: 99, units: [1, 1], tries: 2, outcomes: [ADMITTED, spentAt(100)] },
  ])('$name', ({ used, units, tries, outcomes }) => {
    const [first = 0, ...rest] = units
    expect(outcomesOf(used, [waitingFor(first), ...rest.map((each) => waitingFor(each))])).toEqual({ tries, outcomes })
  })
})

describe('the month is checked before the burst window', () => {
  test.each([
    { name: 'room for exactly this one in the month', used: 98, third: BURST_OUTCOME },
    { name: 'a unit too much for the month', used: 99, third: spentAt(100) },
  ])('a full window and $name', ({ used, third }) => {
    const limiter = new FixedWindowLimiter()
    for (let taken = 1; taken < BURST.requests; taken++) limiter.take('key', BURST, AT)
    const { outcomes } = outcomesOf(used, [waitingFor(1, { burst: true }), waitingFor(1, { burst: true })], limiter)
    expect(outcomes).toEqual([ADMITTED, third])
  })

  test('a window that was full before: the counter is only read', () => {
    const limiter = new FixedWindowLimiter()
    for (let taken = 0; taken < BURST.requests; taken++) limiter.take('key', BURST, AT)
    const { waiting } = waitingFor(1, { burst: true })
    const take = new ChargeGroup([waiting]).choose(limiter)
    expect(take).toEqual({ counter: 'account', period: '2026-11', units: 0, room: -1 })
  })

  test('a place that was reserved for a refused charge is released', () => {
    const limiter = new FixedWindowLimiter()
    outcomesOf(LIMIT, [waitingFor(1, { burst: true })], limiter)
    expect(limiter.secondsToWait('key', { ...BURST, requests: 1 }, AT)).toBe(0)
  })
})

describe('charges that nobody waits for', () => {
  test.each([
    { name: 'given up: its caller knows already', options: { isGivenUp: true }, outcomes: [] },
    { name: 'the client disconnected', options: { isGone: true }, outcomes: [{ outcome: 'withdrawn' }] },
  ])('$name, and nothing is charged', ({ options, outcomes }) => {
    expect(outcomesOf(0, [waitingFor(1, options)])).toEqual({ tries: 0, outcomes: [outcomes] })
    const [left, other] = [waitingFor(LIMIT, options), waitingFor(LIMIT)]
    expect(outcomesOf(0, [left, other])).toEqual({ tries: 1, outcomes: [outcomes, ADMITTED] })
  })

  test('what was given up is not rejected again', () => {
    const [early, late] = [waitingFor(1, { isGivenUp: true }), waitingFor(1)]
    new ChargeGroup([early.waiting, late.waiting]).reject('the database failed')
    expect([early.outcomes, late.outcomes]).toEqual([[], ['the database failed']])
  })

  test('charges are given up that have waited since then or longer', () => {
    const { waiting, outcomes } = waitingFor(1)
    const group = new ChargeGroup([waiting])
    group.giveUp(waiting.since - 1)
    expect(outcomes).toEqual([])
    group.giveUp(waiting.since)
    group.giveUp(waiting.since)
    expect(outcomes).toEqual(['Error: the database did not decide in time'])
  })
})
