import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FixedWindowLimiter } from '../../src/limits/fixed-window-limiter.ts'

const STARTER = { requests: 60, windowSeconds: 60 }
const FREE = { requests: 60, windowSeconds: 3_600 }
const PRO = { requests: 300, windowSeconds: 60 }
const ONE = { requests: 1, windowSeconds: 60 }
const TWO = { requests: 2, windowSeconds: 60 }
const START = 1_000_000_000

/** A limiter whose window was opened with `count` requests. */
function taken(count: number, limit = TWO): FixedWindowLimiter {
  const limiter = new FixedWindowLimiter()
  for (let i = 0; i < count; i += 1) limiter.take('key', limit, START)
  return limiter
}

describe('8.3 a fixed window per key', () => {
  test.each([
    { name: 'a new key has room', count: 0, after: 0, wait: 0 },
    { name: 'the last request has room', count: 1, after: 0, wait: 0 },
    { name: 'a full window: wait until its end', count: 2, after: 0, wait: 60 },
    { name: 'seconds are rounded up', count: 2, after: 1, wait: 60 },
    { name: 'halfway through, the rest remains', count: 2, after: 30_000, wait: 30 },
    { name: 'the wait is at least one second', count: 2, after: 59_999, wait: 1 },
    { name: 'at its end, the next window is free', count: 2, after: 60_000, wait: 0 },
  ])('$name', ({ count, after, wait }) => {
    expect(taken(count).secondsToWait('key', TWO, START + after)).toBe(wait)
  })

  test('the window opens with the first request, not with the clock', () => {
    const limiter = taken(1)
    limiter.take('key', TWO, START + 59_000)
    expect(limiter.secondsToWait('key', TWO, START + 59_500)).toBe(1)
    expect(limiter.take('key', TWO, START + 60_000)).toBe(true)
    expect(limiter.take('key', TWO, START + 119_000)).toBe(true)
    expect(limiter.secondsToWait('key', TWO, START + 119_500)).toBe(1)
  })

  test('secondsToWait does not count a request', () => {
    const limiter = taken(1)
    for (let i = 0; i < 10; i += 1) limiter.secondsToWait('key', TWO, START)
    expect(limiter.take('key', TWO, START)).toBe(true)
  })

  test('a refused request is not counted', () => {
    const limiter = taken(2)
    expect(limiter.take('key', TWO, START)).toBe(false)
    limiter.release('key')
    expect(limiter.take('key', TWO, START)).toBe(true)
  })

  test('keys do not share a window', () => {
    expect(taken(2).take('another', TWO, START)).toBe(true)
  })

  test('a window whose only request is released is closed', () => {
    const limiter = taken(1)
    limiter.release('key')
    limiter.take('key', ONE, START + 30_000)
    expect(limiter.secondsToWait('key', ONE, START + 60_000)).toBe(30)
  })
})

describe('a running window keeps its start and takes the limits of a new plan', () => {
  test.each([
    { name: 'more requests: room at once', from: STARTER, to: PRO, after: 10_000, wait: 0 },
    { name: 'a longer window: lasts from the old start', from: STARTER, to: FREE, after: 10_000, wait: 3_590 },
    { name: 'a shorter window that is still running', from: FREE, to: STARTER, after: 10_000, wait: 50 },
    { name: 'a shorter window that has ended', from: FREE, to: STARTER, after: 61_000, wait: 0 },
    { name: 'a window that has ended is not extended', from: STARTER, to: FREE, after: 60_000, wait: 0 },
  ])('$name', ({ from, to, after, wait }) => {
    expect(taken(60, from).secondsToWait('key', to, START + after)).toBe(wait)
  })

  test('fewer requests than were taken: full', () => {
    expect(taken(100, PRO).secondsToWait('key', STARTER, START + 1_000)).toBe(59)
  })
})

test('a clock that is set back does not make a window longer', () => {
  const limiter = taken(2)
  expect(limiter.secondsToWait('key', TWO, START - 7_200_000)).toBe(60)
})

describe('memory is bounded', () => {
  /** Those of the keys whose windows are remembered, at a time when all of them were open. */
  const remembered = (limiter: FixedWindowLimiter, keys: readonly string[]) =>
    keys.filter((key) => limiter.secondsToWait(key, { requests: 1, windowSeconds: 3_600 }, START) > 0)

  test('a hundred thousand keys do not exceed the limit', () => {
    const limiter = new FixedWindowLimiter(1_000, 100)
    const keys = Array.from({ length: 100_000 }, (_, i) => `key ${i}`)
    for (const key of keys) limiter.take(key, FREE, START)
    expect(remembered(limiter, keys).length).toBeLessThanOrEqual(1_000)
  })

  test('if it is full, windows that have ended are removed first', () => {
    const limiter = new FixedWindowLimiter(10, 1)
    const ended = Array.from({ length: 9 }, (_, i) => `ended ${i}`)
    limiter.take('runs', FREE, START)
    for (const key of ended) limiter.take(key, STARTER, START)
    limiter.take('new', STARTER, START + 61_000)
    expect(remembered(limiter, ['runs', ...ended, 'new'])).toEqual(['runs', 'new'])
  })

  test('if it is full of running windows, those that opened first are removed', () => {
    const limiter = new FixedWindowLimiter(10, 2)
    const keys = Array.from({ length: 11 }, (_, i) => `key ${i}`)
    for (const [i, key] of keys.entries()) limiter.take(key, FREE, START + i)
    expect(remembered(limiter, keys)).toEqual(keys.slice(2))
  })

  test('dropEnded keeps running windows', () => {
    const limiter = new FixedWindowLimiter()
    limiter.take('short', STARTER, START)
    limiter.take('long', FREE, START)
    limiter.dropEnded(START + 60_000)
    expect(remembered(limiter, ['short', 'long'])).toEqual(['long'])
  })
})

test('no window ever exceeds its limit, at any times', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50_000), { maxLength: 200 }), (steps) => {
      const limiter = new FixedWindowLimiter()
      const limit = { requests: 3, windowSeconds: 60 }
      let at = START
      let opened = Number.NEGATIVE_INFINITY
      let inWindow = 0
      for (const step of steps) {
        at += step
        if (at >= opened + 60_000) {
          opened = at
          inWindow = 0
        }
        const mayPass = inWindow < 3
        expect(limiter.secondsToWait('key', limit, at) === 0).toBe(mayPass)
        expect(limiter.take('key', limit, at)).toBe(mayPass)
        if (mayPass) inWindow += 1
      }
    }),
  )
})
