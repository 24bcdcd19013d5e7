import { createAccounts } from './accounts.ts'
import { createAdmission } from './admission.ts'
import { type Clock, systemClock } from './clock.ts'
import { ClockWatch } from './clock-watch.ts'
import type { Database } from './database.ts'
import { DurabilityProbe } from './durability-probe.ts'
import { identifiers, type RandomBytes } from './identifiers.ts'
import { createKeys } from './keys.ts'
import { Ledger, type LedgerReport } from './ledger.ts'
import type { PendingFile } from './pending-file.ts'
import { DAY_MS, dayOf } from './periods.ts'
import { dropKeylessDays, pruneLedger } from './prune.ts'
import { createReports } from './reports.ts'
import type { Store } from './store.ts'
import { createVerification } from './verify.ts'

/** Of the identifiers of accounts and keys. */
const ROW_ID_BYTES = 8
/** How long closing a store waits for queued writes. */
export const CLOSE_MS = 5_000

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
  const newId = identifiers(randomBytes)
  const newRowId = (): string => Buffer.from(randomBytes(ROW_ID_BYTES)).toString('hex')
  const probe = new DurabilityProbe(database.ledger, clock, newId)
  const ledger = new Ledger({
    driver: database.ledger,
    clock,
    newId,
    report(event) {
      if (event.kind === 'written') probe.succeeded()
      else probe.failed()
      report(event)
    },
  })
  return {
    ...createKeys(database, newRowId),
    ...createAccounts(database, newRowId),
    ...createReports(database.reports),
    ...createVerification(database.reports),
    ...createAdmission(ledger, newId),
    complete: (ticket, completion) => ledger.complete(ticket, completion),
    refund: (ticket, completion) => ledger.refund(ticket, completion),
    recordRefusal: (call) => ledger.recordRefusal(call),
    flush: () => ledger.flush(),
    ledgerState: () => ledger.ledgerState(),
    async ready() {
      await probe.prove()
      await database.findHolder('') // no key has this hash
    },
    ...createLifecycle({ database, ledger, clock, pendingFile: options.pendingFile }),
  }
}

interface LifecycleParts {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly pendingFile: PendingFile | undefined
}

/** Regular maintenance, and the shutdown. */
function createLifecycle({ database, ledger, clock, pendingFile }: LifecycleParts): Pick<Store, 'prune' | 'close'> {
  const watch = new ClockWatch(clock)
  let isClosing = false
  let pruning = Promise.resolve()
  const inherited = pendingFile?.take()
  if (inherited !== undefined) ledger.resume(inherited)
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
