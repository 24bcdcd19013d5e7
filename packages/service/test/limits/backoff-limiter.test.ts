import { describe, expect, test } from 'vitest'
import { BackoffLimiter } from '../../src/limits/backoff-limiter.ts'

const START = 1_800_000_000_000
const RULE = { free: 2, firstWaitSeconds: 10, longestWaitSeconds: 60, forgottenAfterSeconds: 300 }

/** What each attempt of one caller is told, by the seconds at which it comes. */
function waits(...times: readonly number[]): number[] {
  const limiter = new BackoffLimiter(RULE)
  return times.map((seconds) => limiter.take('caller', START + seconds * 1_000))
}

describe('attempts with waits that grow', () => {
  test.each([
    { name: 'as many as the rule says without a wait', times: [0, 0], told: [0, 0] },
    { name: 'one more waits', times: [0, 0, 0], told: [0, 0, 10] },
    { name: 'seconds are rounded up', times: [0, 0, 9.999], told: [0, 0, 1] },
    { name: 'a refused attempt prolongs nothing', times: [0, 0, 9, 10], told: [0, 0, 1, 0] },
    { name: 'each further attempt doubles the wait', times: [0, 0, 10, 10, 30, 30], told: [0, 0, 0, 20, 0, 40] },
    {
      name: 'no wait is longer than the longest',
      times: [0, 0, 10, 30, 70, 70, 130, 130],
      told: [0, 0, 0, 0, 0, 60, 0, 60],
    },
    { name: 'who tried nothing for long starts anew', times: [0, 0, 300, 300, 300], told: [0, 0, 0, 0, 10] },
    { name: 'who tried something lately does not', times: [0, 0, 299, 299], told: [0, 0, 0, 20] },
  ])('$name', ({ times, told }) => {
    expect(waits(...times)).toEqual(told)
  })

  test('callers do not spend each other’s', () => {
    const limiter = new BackoffLimiter(RULE)
    expect([1, 2, 3].map(() => limiter.take('one', START))).toEqual([0, 0, 10])
    expect(limiter.take('another', START)).toBe(0)
  })

  test('a forgiven caller starts over', () => {
    const limiter = new BackoffLimiter(RULE)
    for (let i = 0; i < 3; i++) limiter.take('caller', START)
    expect(limiter.secondsToWait('caller', START)).toBe(10)
    limiter.forgive('caller')
    expect(limiter.secondsToWait('caller', START)).toBe(0)
    expect(limiter.take('caller', START)).toBe(0)
  })

  test('of a million callers the latest are remembered and the first are forgotten', () => {
    const limiter = new BackoffLimiter({ ...RULE, free: 1 })
    for (let i = 0; i < 1_000_000; i++) limiter.take(`caller ${i}`, START)
    expect(limiter.take('caller 999999', START)).toBe(10)
    expect(limiter.take('caller 0', START)).toBe(0)
  })
})
