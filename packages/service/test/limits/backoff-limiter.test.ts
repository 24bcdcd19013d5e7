import { describe, expect, test } from 'vitest'
import { BackoffLimiter } from '../../src/limits/backoff-limiter.ts'

const START = 1_800_000_000_000
const RULE = { free: 2, firstWaitSeconds: 10, longestWaitSeconds: 60, forgottenAfterSeconds: 300 }

/** The waits that the limiter returns for attempts of one caller at these seconds. */
function waits(...times: readonly number[]): number[] {
  const limiter = new BackoffLimiter(RULE)
  return times.map((seconds) => limiter.take('caller', START + seconds * 1_000))
}

describe('attempts with growing waits', () => {
  test.each([
    { name: 'some attempts are free', times: [0, 0], expected: [0, 0] },
    { name: 'the next one has to wait', times: [0, 0, 0], expected: [0, 0, 10] },
    { name: 'seconds are rounded up', times: [0, 0, 9.999], expected: [0, 0, 1] },
    { name: 'a refused attempt does not prolong the wait', times: [0, 0, 9, 10], expected: [0, 0, 1, 0] },
    { name: 'each further attempt doubles the wait', times: [0, 0, 10, 10, 30, 30], expected: [0, 0, 0, 20, 0, 40] },
    {
      name: 'no wait is longer than the longest',
      times: [0, 0, 10, 30, 70, 70, 130, 130],
      expected: [0, 0, 0, 0, 0, 60, 0, 60],
    },
    {
      name: 'after a long time without attempts, a caller starts over',
      times: [0, 0, 300, 300, 300],
      expected: [0, 0, 0, 0, 10],
    },
    { name: 'after a shorter time, a caller does not start over', times: [0, 0, 299, 299], expected: [0, 0, 0, 20] },
    {
      name: 'if the clock is set back, a wait is not prolonged',
      times: [7_200, 7_200, 0, 9, 10],
      expected: [0, 0, 10, 1, 0],
    },
    {
      name: 'if the clock is set back, a caller starts over after the same time',
      times: [7_200, 7_200, 0, 300, 300, 300],
      expected: [0, 0, 10, 0, 0, 10],
    },
  ])('$name', ({ times, expected }) => {
    expect(waits(...times)).toEqual(expected)
  })

  test('callers have separate limits', () => {
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

  test('memory is bounded: of a million callers, the first are forgotten', () => {
    const limiter = new BackoffLimiter({ ...RULE, free: 1 })
    for (let i = 0; i < 1_000_000; i++) limiter.take(`caller ${i}`, START)
    expect(limiter.take('caller 999999', START)).toBe(10)
    expect(limiter.take('caller 0', START)).toBe(0)
  })
})
