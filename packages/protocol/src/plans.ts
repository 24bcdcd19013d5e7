import { grouped } from './numbers.ts'

const KB = 1_024
const MB = 1_024 * KB

/** Plans that an account can be on. */
export type AccountPlan = 'free' | 'starter' | 'pro'
/** Every tier of callers: without a key, or on an account's plan. */
export type PlanName = 'keyless' | AccountPlan

/** At most this many requests in one fixed window (specification 8.3). */
export interface BurstLimit {
  readonly requests: number
  readonly windowSeconds: number
}

/** What a tier of callers may do. Sizes in bytes, allowances in units, windows in seconds. */
export interface Plan {
  readonly name: PlanName
  readonly title: string
  /** How the body cap is worded in messages. */
  readonly bodyCap: string
  readonly bodyBytes: number
  readonly allowance: { readonly units: number; readonly per: 'day' | 'month' }
  readonly unitsPerRequest: number
  /** `null`: no burst limit (the daily budget stands instead). */
  readonly burst: BurstLimit | null
  /** `null`: unlimited. */
  readonly activeKeys: number | null
  /** US dollars a month; `null` where nothing can be bought. */
  readonly pricePerMonth: number | null
}

/** Specification 8.2 and 8.3, smallest first. No other file holds one of these numbers. */
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

/** What a new account is on. */
export const FIRST_PLAN: AccountPlan = 'free'

/** The most bytes that the body of any request may have. */
export const LARGEST_BODY_BYTES: number = Math.max(...Object.values(PLANS).map(({ bodyBytes }) => bodyBytes))

/** Data rows that one fuzzy request may have (specification 2.2). */
export const FUZZY_ROWS = 50_000

/** Units that one email address costs (specification 4.5). */
export const UNITS_PER_ADDRESS = 2

/** Is this the name of a plan that an account can be on? */
export function isAccountPlan(name: string): name is AccountPlan {
  return name !== 'keyless' && Object.hasOwn(PLANS, name)
}

/** The plans that an account can move up to, smallest first. */
export function largerPlans(plan: PlanName): readonly Plan[] {
  const names = Object.keys(PLANS)
  return Object.values(PLANS).slice(names.indexOf(plan) + 1)
}

/**
 * What a deduplication costs (specification 8.1): one unit a row or a started KB of the body,
 * whichever is more, and never less than one.
 */
export function unitsOf(rows: number, bodyBytes: number): number {
  return Math.max(rows, Math.ceil(bodyBytes / KB), 1)
}

/** What the validation of this many addresses costs (specification 4.5): never less than one unit. */
export function unitsOfAddresses(count: number): number {
  return Math.max(UNITS_PER_ADDRESS * count, 1)
}

/** Addresses that one request may have on a plan. */
export function addressesPerRequest(plan: Plan): number {
  return Math.floor(plan.unitsPerRequest / UNITS_PER_ADDRESS)
}

/** A request as far as plans look at it. */
export interface Priced {
  readonly units: number
  readonly bodyBytes: number
  /** Whether it is one that needs a key. */
  readonly keyed: boolean
}

/** The smallest plan that takes a request, or undefined when it is too large for every one. */
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

/** What every table of plans tells, and under which title. */
export const PLAN_FACTS = {
  units: 'Units',
  unitsPerRequest: 'Units a request',
  body: 'Body',
  requests: 'Requests',
  keys: 'Active keys',
  price: 'Price a month',
} as const

/** A plan in the words of its tables. */
export function planFacts(plan: Plan): { readonly [Fact in keyof typeof PLAN_FACTS]: string } {
  const { allowance, unitsPerRequest, bodyCap, burst, activeKeys, pricePerMonth } = plan
  return {
    units: `${grouped(allowance.units)} a ${allowance.per}`,
    unitsPerRequest: grouped(unitsPerRequest),
    body: bodyCap,
    requests: burst === null ? 'no limit' : `${burst.requests} per ${windowWord(burst.windowSeconds)}`,
    keys: activeKeys === null ? 'unlimited' : activeKeys === 0 ? 'none' : String(activeKeys),
    price: pricePerMonth === null ? 'no key needed' : pricePerMonth === 0 ? 'free' : `${pricePerMonth} USD`,
  }
}

// The ledger guards later charges of a period and not its first (an upsert has nothing to compare
// with yet), which is safe as long as no single request can cost more than a whole allowance.
for (const plan of Object.values(PLANS)) {
  if (plan.unitsPerRequest > plan.allowance.units)
    throw new Error(`${plan.title}: one request could pass the allowance`)
}
