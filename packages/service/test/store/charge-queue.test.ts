import { describe, expect, test } from 'vitest'
import { ChargeGroup } from '../../src/store/charge-group.ts'
import { ChargeQueue } from '../../src/store/charge-queue.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type ChargeOptions, type RecordedCharge, waitingCharge } from '../support/waiting-charge.ts'

/*
 * Which charges the next commit takes. A group is written as its counter and the units of its charges.
 */

const SUSPECT_MS = 10_000

const nobody = (): boolean => false

function shown(groups: readonly ChargeGroup[]): string[] {
  return groups.map(({ counter, waiting }) => `${counter} ${waiting.map(({ charge }) => charge.units).join('+')}`)
}

function queued(...charges: readonly ChargeOptions[]) {
  const clock = new ManualClock()
  const queue = new ChargeQueue(clock)
  for (const charge of charges) queue.add(waitingCharge(charge).waiting)
  return { clock, queue, next: (maySuspect = true) => shown(queue.next(nobody, maySuspect)) }
}

function groupOf(first: RecordedCharge, ...rest: RecordedCharge[]): ChargeGroup {
  return new ChargeGroup([first.waiting, ...rest.map(({ waiting }) => waiting)])
}

describe('charges go in order of arrival', () => {
  test('those of a counter are one group', () => {
    const { queue, next } = queued({ units: 1 }, { counter: 'other', units: 2 }, { units: 3 })
    expect([queue.size, queue.isEmpty]).toEqual([3, false])
    expect(next()).toEqual(['account 1+3', 'other 2'])
    expect([queue.size, queue.isEmpty]).toEqual([0, true])
    expect(next()).toEqual([])
  })

  test('those of another period are the next group of their counter', () => {
    const december = '2026-12'
    const { next } = queued({ units: 1 }, { units: 2 }, { units: 3, period: december }, { units: 4 })
    expect([next(), next(), next()]).toEqual([['account 1+2'], ['account 3'], ['account 4']])
  })

  test('those of a counter that another batch holds wait', () => {
    const { queue, next } = queued({ units: 1 }, { counter: 'other', units: 2 })
    expect(shown(queue.next((counter) => counter === 'account', true))).toEqual(['other 2'])
    expect(next()).toEqual(['account 1'])
  })

  test.each([
    { first: 255, taken: ['a', 'b'] },
    { first: 256, taken: ['a'] },
    { first: 257, taken: ['a'] },
  ])('$first charges of one counter, and two of another: 256 at most in a commit', ({ first, taken }) => {
    const charges = Array.from({ length: first }, () => ({ counter: 'a' }))
    const { queue } = queued(...charges, { counter: 'b' }, { counter: 'b' })
    const groups = queue.next(nobody, true)
    expect(groups.map(({ counter }) => counter)).toEqual(taken)
    expect(groups.flatMap(({ waiting }) => waiting)).toHaveLength(256)
    expect(queue.size).toBe(first + 2 - 256)
  })
})

describe('charges that are tried again', () => {
  test('go first, and later charges of their counter wait behind them', () => {
    const { queue, next } = queued({ units: 1 }, { counter: 'other', units: 2 })
    queue.retry(groupOf(waitingCharge({ units: 3 }), waitingCharge({ units: 4 })))
    expect([queue.size, queue.isEmpty]).toEqual([4, false])
    expect([next(), next()]).toEqual([['account 3+4', 'other 2'], ['account 1']])
    expect(queue.isEmpty).toBe(true)
  })

  test('those of a busy counter wait, and so do later charges of it', () => {
    const { queue, next } = queued({ units: 1 })
    queue.retry(groupOf(waitingCharge({ units: 2 })))
    expect(queue.next(() => true, true)).toEqual([])
    expect([next(), next()]).toEqual([['account 2'], ['account 1']])
  })

  test('after an entry was rejected, each has a commit of its own', () => {
    const { queue, next } = queued({ counter: 'other', units: 9 })
    queue.retryIndividually(groupOf(waitingCharge({ units: 1 }), waitingCharge({ units: 2 })))
    queue.retryIndividually(groupOf(waitingCharge({ counter: 'third', units: 3 })))
    expect([next(), next(), next(), next()]).toEqual([['account 1'], ['account 2'], ['third 3'], ['other 9']])
  })

  test('a commit that has other retries does not take one that must be alone', () => {
    const { queue, next } = queued()
    queue.retry(groupOf(waitingCharge({ counter: 'first', units: 1 })))
    queue.retryIndividually(groupOf(waitingCharge({ units: 2 })))
    expect([next(), next()]).toEqual([['first 1'], ['account 2']])
  })
})

describe('counters that another session held', () => {
  test('have commits of their own, one counter each, in turns with the others', () => {
    const { queue, next } = queued({ counter: 'a' }, { counter: 'b' }, { counter: 'c' })
    for (const counter of ['a', 'b']) queue.suspect(counter)
    expect(next()).toEqual(['a 1'])
    queue.add(waitingCharge({ counter: 'c', units: 2 }).waiting)
    expect([next(), next(), next()]).toEqual([['c 1+2'], ['b 1'], []])
  })

  test('if only they have charges, they need not wait for a turn of the others', () => {
    const { queue, next } = queued({ counter: 'a' }, { counter: 'b' })
    for (const counter of ['a', 'b']) queue.suspect(counter)
    expect([next(), next(), next()]).toEqual([['a 1'], ['b 1'], []])
  })

  test('the others do not wait if no commit may wait for a suspect', () => {
    const { queue, next } = queued({ counter: 'a' }, { counter: 'b' })
    queue.suspect('a')
    expect([next(false), next(false), next(true)]).toEqual([['b 1'], [], ['a 1']])
  })

  test('are suspects for ten seconds', async () => {
    const { clock, queue, next } = queued({ counter: 'a' }, { counter: 'b' })
    queue.suspect('a')
    await clock.advance(SUSPECT_MS - 1)
    expect([queue.isSuspect('a'), queue.isSuspect('b')]).toEqual([true, false])
    await clock.advance(1)
    expect(queue.isSuspect('a')).toBe(false)
    expect(next()).toEqual(['a 1', 'b 1'])
  })

  test('are trusted again once they were available', () => {
    const { queue, next } = queued({ counter: 'a' }, { counter: 'b' })
    queue.suspect('a')
    queue.trust('a')
    expect(next()).toEqual(['a 1', 'b 1'])
  })
})

describe('charges that have waited too long', () => {
  test('are given up, from the first to the last that waits since then', () => {
    const { queue, next } = queued({ units: 1, since: 1 }, { units: 2, since: 2 }, { units: 3, since: 3 })
    queue.giveUp(2)
    expect(next()).toEqual(['account 3'])
  })

  test('a queue of which nothing is left is empty', () => {
    const { queue } = queued({ since: 1 })
    queue.giveUp(1)
    expect([queue.size, queue.isEmpty]).toEqual([0, true])
  })

  test('among retries: a group goes with its last charge', () => {
    const { queue } = queued()
    const [early, late] = [waitingCharge({ since: 1 }), waitingCharge({ since: 2 })]
    queue.retry(groupOf(early, late))
    queue.giveUp(1)
    expect([early.outcomes.length, late.outcomes.length, queue.isEmpty]).toEqual([1, 0, false])
    queue.giveUp(2)
    expect([early.outcomes.length, late.outcomes.length, queue.isEmpty]).toEqual([1, 1, true])
  })
})
