import { describe, expect, test } from 'vitest'
import {
  ACCOUNT_PLANS,
  isAccountPlan,
  largerPlans,
  PLANS,
  planFacts,
  smallestPlan,
  unitsOf,
  unitsOfAddresses,
  windowWord,
} from '../src/plans.ts'

describe('8.1 units = max(rows, ceil(bytes / 1024)), at least 1', () => {
  test.each([
    { name: 'an empty request costs one unit', rows: 0, bytes: 0, units: 1 },
    { name: 'exactly one KB is one unit', rows: 0, bytes: 1_024, units: 1 },
    { name: 'one byte more than a KB is two units', rows: 1, bytes: 1_025, units: 2 },
    { name: 'rows decide if they are more', rows: 7, bytes: 1_025, units: 7 },
    { name: 'bytes decide if they are more', rows: 7, bytes: 512 * 1_024, units: 512 },
  ])('$name', ({ rows, bytes, units }) => expect(unitsOf(rows, bytes)).toBe(units))
})

describe('8.2 and 8.3 the plans', () => {
  test.each([
    { plan: PLANS.keyless, title: 'Keyless', units: 500, per: 'day', cap: 500, kb: 256, keys: 0, burst: null },
    { plan: PLANS.free, title: 'Free', units: 1_000, per: 'month', cap: 200, kb: 512, keys: 1, burst: [60, 3_600] },
    {
      plan: PLANS.starter,
      title: 'Starter',
      units: 100_000,
      per: 'month',
      cap: 50_000,
      kb: 5_120,
      keys: 3,
      burst: [60, 60],
    },
    {
      plan: PLANS.pro,
      title: 'Pro',
      units: 300_000,
      per: 'month',
      cap: 50_000,
      kb: 5_120,
      keys: null,
      burst: [300, 60],
    },
  ])('$title', ({ plan, title, units, per, cap, kb, keys, burst }) => {
    expect(plan.title).toBe(title)
    expect(plan.allowance).toEqual({ units, per })
    expect(plan.unitsPerRequest).toBe(cap)
    expect(plan.bodyBytes).toBe(kb * 1_024)
    expect(plan.activeKeys).toBe(keys)
    expect(plan.burst && [plan.burst.requests, plan.burst.windowSeconds]).toEqual(burst)
  })
})

describe('functions of plans', () => {
  test('plans that accounts may have', () => {
    expect(ACCOUNT_PLANS).toEqual(['free', 'starter', 'pro'])
    expect(['keyless', 'toString', 'Free'].filter(isAccountPlan)).toEqual([])
    expect(largerPlans('free').map(({ name }) => name)).toEqual(['starter', 'pro'])
    expect(largerPlans('pro')).toEqual([])
  })

  test.each([
    { name: 'a small request', request: { units: 1, bodyBytes: 10, keyed: false }, plan: 'keyless' },
    { name: 'a request that needs a key', request: { units: 1, bodyBytes: 10, keyed: true }, plan: 'free' },
    { name: 'many units', request: { units: 501, bodyBytes: 10, keyed: false }, plan: 'starter' },
    { name: 'many bytes', request: { units: 200, bodyBytes: 300 * 1_024, keyed: false }, plan: 'free' },
    {
      name: 'a request that is too large for any plan',
      request: { units: 50_001, bodyBytes: 10, keyed: false },
      plan: undefined,
    },
  ])('the smallest plan for $name', ({ request, plan }) => expect(smallestPlan(request)?.name).toBe(plan))

  test('4.5 an address costs two units, an empty list one', () => {
    expect([0, 1, 25_000].map(unitsOfAddresses)).toEqual([1, 2, 50_000])
  })

  test('8.3 a window is named by its unit, or by its seconds', () => {
    expect([60, 3_600, 90].map(windowWord)).toEqual(['minute', 'hour', '90 seconds'])
  })

  test('a plan’s limits are described in words', () => {
    expect(planFacts(PLANS.free)).toEqual({
      units: '1,000 per month',
      unitsPerRequest: '200',
      body: '512 KB',
      requests: '60 per hour',
      keys: '1',
      price: 'free',
    })
    expect(planFacts(PLANS.keyless)).toMatchObject({ requests: 'no limit', keys: 'none', price: 'no key needed' })
    expect(planFacts(PLANS.pro)).toMatchObject({ keys: 'unlimited', price: '49 USD' })
  })
})
