import { beforeEach, describe, expect, test } from 'vitest'
import { SignInLimiter } from '../../src/dashboard/sign-in-limiter.ts'

const DAY_SECONDS = 86_400

let seconds: number
let limiter: SignInLimiter

beforeEach(() => {
  seconds = 1_800_000_000
  limiter = new SignInLimiter(() => seconds * 1_000)
})

/** How many of these attempts, all at this moment, are let through. */
function taken(attempts: readonly { network: string; email: string }[]): number {
  return attempts.filter(({ network, email }) => limiter.take(network, email) === 0).length
}

/** Guesses from a network each. */
const fromEverywhere = (count: number, email = 'a@example.com') =>
  Array.from({ length: count }, (_, i) => ({ network: `2001:db8:0:${i.toString(16)}::/64`, email }))

describe('guesses at one account', () => {
  test('from a thousand networks are those of one: five, then waits that grow', () => {
    expect(taken(fromEverywhere(1_000))).toBe(5)
    const waits = []
    for (let i = 0; i < 12; i++) {
      const wait = limiter.take('192.0.2.1', 'a@example.com')
      waits.push(wait)
      seconds += wait
      limiter.take('192.0.2.1', 'a@example.com')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('are some hundred a day at most, however persistent', () => {
    let guesses = 0
    for (const end = seconds + DAY_SECONDS; seconds < end; seconds++) guesses += taken(fromEverywhere(2))
    expect(guesses).toBeLessThan(120)
  })

  test('count whatever the case of the address, and whether or not it has an account', () => {
    expect(taken([...fromEverywhere(4), ...fromEverywhere(4, 'A@Example.COM')])).toBe(5)
  })

  test('do not keep out an owner who signed in from their network before', () => {
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(taken(fromEverywhere(1_000))).toBe(5)
    expect(limiter.take('198.51.100.7', 'a@example.com')).toBe(0)
  })

  test('from the owner’s network are bounded too', () => {
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(taken(Array.from({ length: 50 }, () => ({ network: '198.51.100.7', email: 'a@example.com' })))).toBe(5)
  })

  test('are forgiven when the owner signs in', () => {
    expect(taken(fromEverywhere(10))).toBe(5)
    limiter.succeeded('198.51.100.7', 'a@example.com')
    expect(taken(fromEverywhere(10))).toBe(5)
  })

  test('after a claim, those who signed in before have no separate count any more', () => {
    limiter.succeeded('203.0.113.66', 'a@example.com')
    limiter.forget('a@example.com')
    expect(taken([...fromEverywhere(5), { network: '203.0.113.66', email: 'a@example.com' }])).toBe(5)
  })
})

describe('guesses from one network', () => {
  const atOneAccount = (count: number) =>
    Array.from({ length: count }, () => ({ network: '192.0.2.1', email: 'victim@example.com' }))
  const atManyAccounts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ network: '192.0.2.1', email: `person${i}@example.com` }))

  test('at one account never lock out the others behind it', () => {
    taken(atOneAccount(10_000))
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBe(0)
  })

  test('at many accounts wait, for a minute at most', () => {
    expect(taken(atManyAccounts(10_000))).toBe(60)
    for (let i = 0; i < 20; i++) seconds += limiter.take('192.0.2.1', `next${i}@example.com`)
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBeLessThanOrEqual(60)
  })

  test('do not keep out an owner who signed in from there before', () => {
    limiter.succeeded('192.0.2.1', 'owner@example.com')
    taken(atManyAccounts(10_000))
    expect(limiter.take('192.0.2.1', 'owner@example.com')).toBe(0)
  })
})
