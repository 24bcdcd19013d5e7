import { grouped } from './numbers.ts'

const KB = 1_024
const MB = 1_024 * KB

/** Plans that an account can be on. */
export type AccountPlan = 'free' | 'starter' | 'pro'
/** Every tier of callers: keyless, or on an account's plan. */
export type PlanName = 'keyless' | AccountPlan

/** The most requests in one fixed window (specification 8.3). */
export interface BurstLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** What a tier of callers may do. Sizes in bytes, allowances in units, windows in seconds. */
export interface Plan {
  readonly name: PlanName
  readonly title: string
  /** The body cap as messages word it. */
  readonly bodyCap: string
  readonly bodyBytes: number
  readonly allowance: { readonly units: number; readonly per: 'day' | 'month' }
  readonly unitsPerRequest: number
  /** `null`: no burst limit (the daily allowance takes its place). */
  readonly burst: BurstLimit | null
  /** `null`: unlimited. */
  readonly activeKeys: number | null
  /** US dollars per month; `null` for tiers that are not for sale. */
  readonly pricePerMonth: number | null
}

/** Specification 8.2 and 8.3, smallest first. No other file repeats these numbers. */
export const PLANS: { readonly [Name in PlanName]: Plan & { readonly name: Name } } = {
  keyless: {
    name: 'keyless',
    title: 'Keyless',
    bodyCap: '256 KB',
    bodyBytes: 256 * KB,
    allowance: { units: 500, per: 'day' },
    unitsPerRequest: 500,
    burst: null,
    activeKeys: 0,
    pricePerMonth: null,
  },
  free: {
    name: 'free',
    title: 'Free',
    bodyCap: '512 KB',
    bodyBytes: 512 * KB,
    allowance: { units: 1_000, per: 'month' },
    unitsPerRequest: 200,
    burst: { requests: 60, windowSeconds: 3_600 },
    activeKeys: 1,
    pricePerMonth: 0,
  },
  starter: {
    name: 'starter',
    title: 'Starter',
    bodyCap: '5 MB',
    bodyBytes: 5 * MB,
    allowance: { units: 100_000, per: 'month' },
    unitsPerRequest: 50_000,
    burst: { requests: 60, windowSeconds: 60 },
    activeKeys: 3,
    pricePerMonth: 19,
  },
  pro: {
    name: 'pro',
    title: 'Pro',
    bodyCap: '5 MB',
    bodyBytes: 5 * MB,
    allowance: { units: 300_000, per: 'month' },
    unitsPerRequest: 50_000,
    burst: { requests: 300, windowSeconds: 60 },
    activeKeys: null,
    pricePerMonth: 49,
  },
}

/** The plans of accounts, smallest first. */
export const ACCOUNT_PLANS: readonly AccountPlan[] = Object.keys(PLANS).filter(isAccountPlan)

/** The plan of a new account. */
export const FIRST_PLAN: AccountPlan = 'free'

/** The most bytes that the body of any request may have. */
export const LARGEST_BODY_BYTES: number = Math.max(...Object.values(PLANS).map(({ bodyBytes }) => bodyBytes))

/** The most data rows that one fuzzy request may have (specification 2.2). */
export const FUZZY_ROWS = 50_000

/** Units that one email address costs (specification 4.5). */
export const UNITS_PER_ADDRESS = 2

/** Whether this is the name of a plan that an account can be on. */
export function isAccountPlan(name: string): name is AccountPlan {
  return name !== 'keyless' && Object.hasOwn(PLANS, name)
}

/** The plans that an account can move up to, smallest first. */
export function largerPlans(plan: PlanName): readonly Plan[] {
  const names = Object.keys(PLANS)
  return Object.values(PLANS).slice(names.indexOf(plan) + 1)
}

/**
 * What a deduplication costs (specification 8.1): one unit per row or per started KB of the body, whichever is more,
 * and at least one.
 */
export function unitsOf(rows: number, bodyBytes: number): number {
  return Math.max(rows, Math.ceil(bodyBytes / KB), 1)
}

/** What validating this many addresses costs (specification 4.5): at least one unit. */
export function unitsOfAddresses(count: number): number {
  return Math.max(UNITS_PER_ADDRESS * count, 1)
}

/** The most addresses that one request may have on a plan. */
export function addressesPerRequest(plan: Plan): number {
  return Math.floor(plan.unitsPerRequest / UNITS_PER_ADDRESS)
}

/** The facts about a request that decide which plans accept it. */
export interface Priced {
  readonly units: number
  readonly bodyBytes: number
  /** Whether it needs a key. */
  readonly keyed: boolean
}

/** The smallest plan that accepts a request, or undefined if none does. */
export function smallestPlan({ units, bodyBytes, keyed }: Priced): Plan | undefined {
  return Object.values(PLANS)
    .filter(({ name }) => !keyed || isAccountPlan(name))
    .find((plan) => units <= plan.unitsPerRequest && bodyBytes <= plan.bodyBytes)
}

/** The window of a burst limit in words: `hour`, as in "60 requests per hour". */
export function windowWord(windowSeconds: number): string {
  if (windowSeconds === 3_600) return 'hour'
  if (windowSeconds === 60) return 'minute'
  return `${windowSeconds} seconds`
}

/** What every table of plans shows, with column titles. */
export const PLAN_FACTS = {
  units: 'Units',
  unitsPerRequest: 'Units per request',
  body: 'Body',
  requests: 'Requests',
  keys: 'Active keys',
  price: 'Price per month',
} as const

/** A plan as the tables word it. */
export function planFacts(plan: Plan): { readonly [Fact in keyof typeof PLAN_FACTS]: string } {
  const { allowance, unitsPerRequest, bodyCap, burst, activeKeys, pricePerMonth } = plan
  return {
    units: `${grouped(allowance.units)} per ${allowance.per}`,
    unitsPerRequest: grouped(unitsPerRequest),
    body: bodyCap,
    requests: burst === null ? 'no limit' : `${burst.requests} per ${windowWord(burst.windowSeconds)}`,
    keys: activeKeys === null ? 'unlimited' : activeKeys === 0 ? 'none' : String(activeKeys),
    price: pricePerMonth === null ? 'no key needed' : pricePerMonth === 0 ? 'free' : `${pricePerMonth} USD`,
  }
}

// The ledger does not guard the first charge of a period (an upsert has nothing to compare with yet). That is safe as
// long as no single request can cost more than a whole allowance.
for (const plan of Object.values(PLANS)) {
  if (plan.unitsPerRequest > plan.allowance.units)
    throw new Error(`${plan.title}: one request could pass the allowance`)
}
