import { describe, expect, test } from 'vitest'
import { Attempts } from '../../src/dashboard/attempts.ts'

const START = 1_800_000_000_000
const TWO_A_MINUTE = { attempts: 2, windowSeconds: 60 }

/** What each attempt of one caller is told, by the milliseconds at which it comes. */
function waits(...times: readonly number[]): number[] {
  const attempts = new Attempts(TWO_A_MINUTE)
  return times.map((ms) => attempts.take('caller', START + ms))
}

describe('attempts in fixed windows', () => {
  test.each([
    { name: 'as many as the rule says', times: [0, 1], told: [0, 0] },
    { name: 'one more waits for the end of the window', times: [0, 1, 1_000], told: [0, 0, 59] },
    { name: 'seconds are rounded up', times: [0, 0, 59_999], told: [0, 0, 1] },
    { name: 'the window ends by itself', times: [0, 0, 60_000, 60_000, 60_000], told: [0, 0, 0, 0, 60] },
    { name: 'a refused attempt prolongs nothing', times: [0, 0, 59_000, 60_000], told: [0, 0, 1, 0] },
    { name: 'the window opens with the first attempt', times: [30_000, 89_999, 89_999, 90_000], told: [0, 0, 1, 0] },
  ])('$name', ({ times, told }) => {
    expect(waits(...times)).toEqual(told)
  })

  test('callers do not spend each other’s', () => {
    const attempts = new Attempts(TWO_A_MINUTE)
    expect([1, 2, 3].map(() => attempts.take('one', START))).toEqual([0, 0, 60])
    expect(attempts.take('another', START)).toBe(0)
  })

  test('a million callers take bounded memory, and the latest are remembered', () => {
    const attempts = new Attempts({ attempts: 1, windowSeconds: 60 })
    for (let i = 0; i < 1_000_000; i++) attempts.take(`caller ${i}`, START)
    expect(attempts.callers).toBeLessThanOrEqual(100_000)
    expect(attempts.take('caller 999999', START)).toBe(60)
    expect(attempts.take('caller 0', START)).toBe(0)
  })
})
