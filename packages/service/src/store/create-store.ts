import { FIRST_PLAN, PLANS } from '@keepfirst/protocol'
import { type ChargeRequest, ticketOf } from './charge-group.ts'
import { type Clock, systemClock } from './clock.ts'
import { ClockWatch } from './clock-watch.ts'
import type { Database } from './database.ts'
import * as directory from './directory.ts'
import { DurabilityProbe } from './durability-probe.ts'
import type { RandomBytes } from './identifiers.ts'
import { Ledger, type LedgerReport } from './ledger.ts'
import type { PendingFile } from './pending-file.ts'
import { dayOf, monthOf } from './periods.ts'
import { dropKeylessDays, pruneLedger } from './prune.ts'
import * as reports from './reports.ts'
import type { Account, AccountMaker, Charge, KeylessCharge, Store } from './store.ts'
import { imbalances } from './verify.ts'

const DAY_MS = 86_400_000
const ID_BYTES = 8
/** How long shutdown waits for queued writes. */
const CLOSE_MS = 5_000

/** What a store needs besides its database. */
export interface StoreOptions {
  readonly randomBytes: RandomBytes
  readonly clock?: Clock
  /** Called with the ledger's reports. */
  readonly report?: (report: LedgerReport) => void
  /** Holds completions and refunds that could not be written before shutdown. */
  readonly pendingFile?: PendingFile | undefined
}

/** A store on either database. */
export function createStore(database: Database, options: StoreOptions): Store {
  const { randomBytes, clock = systemClock, report = () => {} } = options
  const { kysely } = database
  const ledger = new Ledger({
    driver: database.ledger,
    clock,
    randomBytes,
    report(event) {
      if (event.kind === 'written') probe.succeeded()
      else probe.failed()
      report(event)
    },
  })
  const probe = new DurabilityProbe(database.ledger, clock, () => ledger.newId())
  const newId = (): string => Buffer.from(randomBytes(ID_BYTES)).toString('hex')
  const newAccount = (email: string, createdAt: number, madeBy: AccountMaker): Account => {
    return { id: newId(), email, plan: FIRST_PLAN, createdAt, madeBy, claimedAt: null }
  }
  return {
    findHolder: (tokenHash) => database.findHolder(tokenHash),
    createKey: (draft) => directory.createKey(kysely, newId(), draft),
    keysOf: (accountId) => directory.keysOf(kysely, accountId),
    keyPages: () => directory.keyPages(database.reports),
    revokeKey: (keyId, at, accountId) => directory.revokeKey(kysely, keyId, { at, accountId }),
    ensureAccount: (email, at) => directory.ensureAccount(kysely, newAccount(email, at, 'operator')),
    createAccount: (email, at) => directory.createAccount(kysely, newAccount(email, at, 'sign-up')),
    accountById: (id) => directory.accountById(kysely, id),
    findAccount: (email) => directory.findAccount(kysely, email),
    accountPages: () => directory.accountPages(database.reports),
    setPlan: (accountId, plan) => directory.setPlan(kysely, accountId, plan),
    deleteAccount: (accountId, at) => directory.deleteAccount(kysely, accountId, at),

    ...reportsOf(database),
    ...ledgerOf(ledger),
    async ready() {
      await probe.prove()
      await database.findHolder('') // no key has this hash
    },
    ...lifecycleOf({ database, ledger, clock, pendingFile: options.pendingFile }),
  }
}

type ReportMethods = Pick<Store, 'usedUnits' | 'monthPages' | 'days' | 'newestEvents' | 'eventPages' | 'imbalances'>

function reportsOf({ reports: kysely }: Database): ReportMethods {
  return {
    usedUnits: (accountId, month) => reports.usedUnits(kysely, accountId, month),
    monthPages: (query) => reports.monthPages(kysely, query),
    days: (query) => reports.days(kysely, query),
    newestEvents: (query) => reports.newestEvents(kysely, query),
    eventPages: (query) => reports.eventPages(kysely, query),
    imbalances: (month) => imbalances(kysely, month),
  }
}

type LedgerMethods = Pick<
  Store,
  'admit' | 'admitKeyless' | 'complete' | 'refund' | 'recordRefusal' | 'flush' | 'ledgerState'
>

function ledgerOf(ledger: Ledger): LedgerMethods {
  return {
    async admit(charge, presence) {
      const request = keyedRequest(charge, ledger.newId())
      const result = await ledger.charge(request, presence)
      switch (result.outcome) {
        case 'admitted':
          return { outcome: 'admitted', ticket: ticketOf(request) }
        case 'spent':
          return { outcome: 'month spent', used: result.used }
        default:
          return result
      }
    },
    async admitKeyless(charge, presence) {
      const request = keylessRequest(charge, ledger.newId())
      const { outcome } = await ledger.charge(request, presence)
      switch (outcome) {
        case 'admitted':
          return { outcome, ticket: ticketOf(request) }
        case 'withdrawn':
          return { outcome }
        default:
          return { outcome: 'day spent' }
      }
    },
    complete(ticket, completion) {
      // For keyless calls, only the usage of their address is stored.
      if (ticket.kind === 'keyed') ledger.complete(ticket, completion)
    },
    refund: (ticket, completion) => ledger.refund(ticket, completion),
    recordRefusal: (call) => ledger.refuse(call),
    flush: () => ledger.flush(),
    ledgerState: () => ledger.state,
  }
}

function keyedRequest({ holder, at, mode, rows, units }: Charge, id: string): ChargeRequest {
  const { allowance, burst } = PLANS[holder.plan]
  const keyed = { keyId: holder.keyId, burst, call: { mode, rows } }
  return { id, counter: holder.accountId, period: monthOf(at), at, units, limit: allowance.units, keyed }
}

function keylessRequest({ client, at, units }: KeylessCharge, id: string): ChargeRequest {
  const { allowance } = PLANS.keyless
  return { id, counter: client, period: dayOf(at), at, units, limit: allowance.units, keyed: undefined }
}

interface LifecycleParts {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly pendingFile: PendingFile | undefined
}

/** Regular maintenance, and the shutdown. */
function lifecycleOf({ database, ledger, clock, pendingFile }: LifecycleParts): Pick<Store, 'prune' | 'close'> {
  const watch = new ClockWatch(clock)
  let isClosing = false
  let pruning = Promise.resolve()
  const unwritten = pendingFile?.take()
  if (unwritten !== undefined) ledger.resume(unwritten)
  const prune = async (now: number, eventDays: number): Promise<void> => {
    ledger.dropEndedWindows(now)
    if (!watch.isTrusted()) return
    if (await dropKeylessDays(database.kysely, now)) await database.scrub()
    // Whole days, so that the calls of a day are removed together.
    const eventsBefore = Date.parse(dayOf(now - eventDays * DAY_MS))
    const shouldContinue = (): boolean => !isClosing
    await database.maintainPartitions({ now, eventsBefore, shouldContinue })
    await pruneLedger(database.kysely, { clock, shouldContinue, now, eventsBefore })
  }
  return {
    prune(now, eventDays) {
      const next = pruning.then(() => prune(now, eventDays))
      pruning = next.catch(() => {})
      return next
    },
    async close() {
      isClosing = true
      await pruning
      const unwritten = await ledger.close(CLOSE_MS)
      try {
        pendingFile?.keep(unwritten)
      } finally {
        await database.close()
      }
    },
  }
}
