import { beforeEach, describe, expect, test } from 'vitest'
import { SignInLimiter } from '../../src/dashboard/sign-in-limiter.ts'

const DAY_SECONDS = 86_400

let seconds: number
let limiter: SignInLimiter

beforeEach(() => {
  seconds = 1_800_000_000
  limiter = new SignInLimiter(() => seconds * 1_000)
})

/** How many of these attempts, all at the current time, are let through. */
function passed(attempts: readonly { network: string; email: string }[]): number {
  return attempts.filter(({ network, email }) => limiter.take(network, email) === 0).length
}

/** Guesses, each from a different network. */
const fromEverywhere = (count: number, email = 'a@example.com') =>
  Array.from({ length: count }, (_, i) => ({ network: `2001:db8:0:${i.toString(16)}::/64`, email }))

describe('guesses at one account', () => {
  test('from a thousand networks are counted together: five are free, then waits grow', () => {
    expect(passed(fromEverywhere(1_000))).toBe(5)
    const waits = []
    for (let i = 0; i < 12; i++) {
      const wait = limiter.take('192.0.2.1', 'a@example.com')
      waits.push(wait)
      seconds += wait
      limiter.take('192.0.2.1', 'a@example.com')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('are limited to about a hundred a day', () => {
    let guesses = 0
    for (const end = seconds + DAY_SECONDS; seconds < end; seconds++) guesses += passed(fromEverywhere(2))
    expect(guesses).toBeLessThan(120)
  })

  test('are counted whatever the case of the address, and whether or not it has an account', () => {
    expect(passed([...fromEverywhere(4), ...fromEverywhere(4, 'A@Example.COM')])).toBe(5)
  })

  test('do not lock out an owner who has signed in from their network before', () => {
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(passed(fromEverywhere(1_000))).toBe(5)
    expect(limiter.take('198.51.100.7', 'a@example.com')).toBe(0)
  })

  test('from the owner’s network are limited too', () => {
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(passed(Array.from({ length: 50 }, () => ({ network: '198.51.100.7', email: 'a@example.com' })))).toBe(5)
  })

  test('are forgotten when the owner signs in', () => {
    expect(passed(fromEverywhere(10))).toBe(5)
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(passed(fromEverywhere(10))).toBe(5)
  })

  test('after a claim, networks from which others signed in before no longer have their own limit', () => {
    limiter.succeeded('203.0.113.66', 'a@example.com')
    limiter.forget('a@example.com')
    expect(passed([...fromEverywhere(5), { network: '203.0.113.66', email: 'a@example.com' }])).toBe(5)
  })
})

describe('guesses from one network', () => {
  const atOneAccount = (count: number) =>
    Array.from({ length: count }, () => ({ network: '192.0.2.1', email: 'victim@example.com' }))
  const atManyAccounts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ network: '192.0.2.1', email: `person${i}@example.com` }))

  test('at one account never lock out other accounts on the same network', () => {
    passed(atOneAccount(10_000))
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBe(0)
  })

  test('at many accounts are delayed, by a minute at most', () => {
    expect(passed(atManyAccounts(10_000))).toBe(60)
    for (let i = 0; i < 20; i++) seconds += limiter.take('192.0.2.1', `next${i}@example.com`)
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBeLessThanOrEqual(60)
  })

  test('do not lock out an owner who has signed in from there before', () => {
    limiter.succeeded('192.0.2.1', 'owner@example.com')
    passed(atManyAccounts(10_000))
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBe(0)
  })
})
