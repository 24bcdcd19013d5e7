import type { AccountPlan } from '@keepfirst/protocol'
import { Random } from './random.ts'

/*
 * What a seed determines in advance, as plain data. Each scenario enables only some kinds of faults, so that rare
 * combinations of two faults are not masked by all the others.
 */

export interface Scenario {
  /** The wall clock at the start, often just before the end of a month. */
  readonly startsAt: number
  /** Processes of the service that share one database. */
  readonly processes: readonly { readonly clockOffsetMs: number }[]
  /** Concurrent batches of a process: 1 as on SQLite, more as on PostgreSQL. */
  readonly concurrency: number
  readonly accounts: readonly { readonly plan: AccountPlan; readonly keys: number }[]
  /** Network addresses of callers without a key. */
  readonly clients: number
  readonly calls: readonly CallPlan[]
  readonly incidents: readonly Incident[]
  /** The probability that a statement fails on its own, without an incident. */
  readonly faultRate: number
  /** The time after which nothing fails any more. */
  readonly quietAt: number
}

/** A call that will be made. */
export interface CallPlan {
  readonly number: number
  readonly at: number
  readonly caller: { readonly kind: 'key'; readonly key: number } | { readonly kind: 'client'; readonly client: number }
  readonly units: number
  readonly uploadMs: number
  readonly parseMs: number
  readonly runMs: number
  readonly end: 'done' | 'throws' | 'too long' | 'stopping' | 'malformed'
  /** After how long the caller disconnects; undefined if it stays. */
  readonly leavesAfterMs: number | undefined
  /** Whether the database rejects its event. */
  readonly isPoisoned: boolean
}

/** Something that happens at one time, or lasts until another. */
export type Incident =
  /** Nothing can be written. */
  | { readonly kind: 'disk full'; readonly at: number; readonly until: number }
  /** Statements fail, including those in flight at its beginning and end; keys cannot be looked up. */
  | { readonly kind: 'database down'; readonly at: number; readonly until: number }
  /** Statements arrive, but answers do not. */
  | { readonly kind: 'answers lost'; readonly at: number; readonly until: number }
  /** Statements wait without an error. */
  | { readonly kind: 'database frozen'; readonly at: number; readonly until: number }
  | { readonly kind: 'database slow'; readonly at: number; readonly until: number }
  /** Another session has locked an account's counter. */
  | { readonly kind: 'row held'; readonly at: number; readonly until: number; readonly account: number }
  | { readonly kind: 'process killed'; readonly at: number; readonly until: number; readonly process: number }
  | { readonly kind: 'process stopped'; readonly at: number; readonly until: number; readonly process: number }
  | { readonly kind: 'process frozen'; readonly at: number; readonly until: number; readonly process: number }
  | { readonly kind: 'clock set'; readonly at: number; readonly process: number; readonly byMs: number }
  | { readonly kind: 'ledger pruned'; readonly at: number; readonly process: number }
  | { readonly kind: 'key revoked'; readonly at: number; readonly key: number }
  | { readonly kind: 'plan raised'; readonly at: number; readonly account: number }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH_END = Date.UTC(2026, 3, 1)

export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed)
  const quietAt = random.pick([3, 6, 12, 20]) * SECOND
  const startsAt = MONTH_END - (random.chance(0.4) ? random.between(0, quietAt) : 15 * DAY)
  const isSkewed = random.chance(0.2)
  const processes = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => ({
    clockOffsetMs: isSkewed ? random.between(-2 * HOUR, 2 * HOUR) : 0,
  }))
  const accounts = Array.from({ length: random.between(1, 3) }, () => {
    const plan = random.pick(['free', 'free', 'starter'] as const)
    return { plan, keys: plan === 'free' ? 1 : random.between(1, 3) }
  })
  const clients = random.between(1, 2)
  const keys = accounts.reduce((sum, account) => sum + account.keys, 0)
  const calls = callsOf(random.fork(), { keys, clients, quietAt })
  const parts = { processes: processes.length, accounts: accounts.length, keys, quietAt }
  return {
    startsAt,
    processes,
    concurrency: random.pick([1, 4]),
    accounts,
    clients,
    calls,
    incidents: incidentsOf(random.fork(), parts),
    faultRate: random.pick([0, 0, 0.02, 0.1, 0.3]),
    quietAt,
  }
}

interface CallParts {
  readonly keys: number
  readonly clients: number
  readonly quietAt: number
}

function callsOf(random: Random, { keys, clients, quietAt }: CallParts): readonly CallPlan[] {
  const leaves = random.pick([0, 0.1, 0.4])
  const fails = random.pick([0, 0.1, 0.3])
  const poison = random.pick([0, 0, 0.03])
  const keyless = random.pick([0, 0.2, 0.5])
  const crowds = Array.from({ length: random.between(1, 6) }, () => random.between(0, quietAt))
  const mostUnits = random.pick([1, 20, 250])
  const favourite = random.chance(0.5) ? random.between(0, keys - 1) : undefined
  return Array.from({ length: random.pick([15, 40, 40, 90]) }, (_, index): CallPlan => {
    const key = favourite !== undefined && random.chance(0.9) ? favourite : random.between(0, keys - 1)
    const isKeyless = random.chance(keyless)
    return {
      number: index + 1,
      at: Math.min(quietAt, random.pick(crowds) + random.pick([0, random.between(0, 40), random.between(0, 2_000)])),
      caller: isKeyless ? { kind: 'client', client: random.between(0, clients - 1) } : { kind: 'key', key },
      units: random.between(1, mostUnits),
      uploadMs: random.pick([0, 0, random.between(0, 300)]),
      parseMs: random.between(0, 3),
      runMs: random.pick([0, random.between(0, 20), random.between(0, 1_500)]),
      end: random.chance(fails) ? random.pick(['throws', 'too long', 'stopping', 'malformed']) : 'done',
      leavesAfterMs: random.chance(leaves) ? random.pick([random.between(0, 30), random.between(0, 6_000)]) : undefined,
      isPoisoned: random.chance(poison),
    }
  })
}

interface IncidentParts {
  readonly processes: number
  readonly accounts: number
  readonly keys: number
  readonly quietAt: number
}

function incidentsOf(random: Random, { processes, accounts, keys, quietAt }: IncidentParts): readonly Incident[] {
  return Array.from({ length: random.pick([0, 1, 2, 4]) }, (): Incident => {
    const at = random.between(0, quietAt)
    const until = Math.min(quietAt, at + random.pick([50, 500, 3_000, 9_000]))
    const process = random.between(0, processes - 1)
    const kind = random.pick(KINDS)
    switch (kind) {
      case 'row held':
        return { kind, at, until, account: random.between(0, accounts - 1) }
      case 'process killed':
      case 'process stopped':
      case 'process frozen':
        return { kind, at, until, process }
      case 'clock set': {
        const byMs = random.pick([1, -1]) * random.pick([20 * SECOND, HOUR, 5 * HOUR, DAY, 31 * DAY])
        return { kind, at, process, byMs }
      }
      case 'ledger pruned':
        return { kind, at, process }
      case 'key revoked':
        return { kind, at, key: random.between(0, keys - 1) }
      case 'plan raised':
        return { kind, at, account: random.between(0, accounts - 1) }
      default:
        return { kind, at, until }
    }
  })
}

const KINDS: readonly Incident['kind'][] = [
  'disk full',
  'database down',
  'answers lost',
  'answers lost',
  'database frozen',
  'database slow',
  'row held',
  'process killed',
  'process stopped',
  'process stopped',
  'process frozen',
  'clock set',
  'ledger pruned',
  'key revoked',
  'plan raised',
]
