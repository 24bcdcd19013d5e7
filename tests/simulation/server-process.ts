import { createHandler } from '../../packages/service/src/requests/pipeline.ts'
import { createStore } from '../../packages/service/src/store/create-store.ts'
import type { Database } from '../../packages/service/src/store/database.ts'
import type { LedgerReport } from '../../packages/service/src/store/ledger.ts'
import { PendingFile } from '../../packages/service/src/store/pending-file.ts'
import type { Store } from '../../packages/service/src/store/store.ts'
import { endpointFor, type SimulatedCall } from './callers.ts'
import type { FaultyDriver } from './faulty-driver.ts'
import type { Plant } from './planted-faults.ts'
import type { Random } from './random.ts'
import type { Owner, ProcessClock } from './scheduler.ts'

export interface ProcessParts {
  /** The index of the process, and how many processes had the same index before. */
  readonly index: number
  readonly generation: number
  readonly owner: Owner
  readonly clock: ProcessClock
  readonly database: Database
  readonly driver: FaultyDriver
  readonly random: Random
  readonly pendingPath: string
  readonly plant: Plant | undefined
  readonly note: (what: string) => void
}

const SILENT_LOG = { debug() {}, info() {}, warn() {}, error() {} }

/** A process of the service from start to end, with the real store and pipeline. */
export class ServerProcess {
  readonly index: number
  readonly store: Store
  readonly clock: ProcessClock
  readonly calls: SimulatedCall[] = []
  readonly #parts: ProcessParts
  /** Whether it accepts calls. */
  isListening = true
  #open = 0

  constructor(parts: ProcessParts) {
    const { index, clock, database, driver, random, pendingPath, plant, note } = parts
    this.index = index
    this.clock = clock
    this.#parts = parts
    const store = createStore(
      {
        kind: database.kind,
        kysely: database.kysely,
        reports: database.reports,
        ledger: plant?.driver?.(driver, clock) ?? driver,
        findHolder: (hash) => driver.findHolder(() => database.findHolder(hash)),
        withoutTimeout: (work) => database.withoutTimeout(work),
        maintainPartitions: (options) => database.maintainPartitions(options),
        scrub: () => database.scrub(),
        close: async () => {},
      },
      {
        randomBytes: (count) => random.bytes(count),
        clock,
        report: (report) => note(`ledger: ${textOf(report)}`),
        pendingFile: new PendingFile(pendingPath),
      },
    )
    this.store = plant?.store?.(store) ?? store
  }

  get name(): string {
    return `p${this.index}.${this.#parts.generation}`
  }
  get owner(): Owner {
    return this.#parts.owner
  }
  /** The number of calls in progress. */
  get open(): number {
    return this.#open
  }

  async serve(call: SimulatedCall): Promise<void> {
    const { note, clock } = this.#parts
    this.calls.push(call)
    const handle = createHandler(endpointFor(call, clock), {
      store: this.#timing(call),
      baseUrl: 'https://dedupe.example',
      addressSecret: new Uint8Array(32),
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      log: SILENT_LOG,
      observe() {},
    })
    this.#open += 1
    call.reply = await handle(call)
    this.#open -= 1
    call.repliedAt = clock.monotonicMs()
    call.wasReceived = !call.aborted
    note(`call ${call.plan.number} ends: ${call.outcome}${call.aborted ? ', received by nobody' : ''}`)
  }

  /** Like `kill -9`. */
  kill(): void {
    this.isListening = false
    this.owner.isAlive = false
  }

  /** A graceful stop: no new calls, open ones are answered, the store is closed. */
  async stop(): Promise<void> {
    this.isListening = false
    while (this.#open > 0) await new Promise<void>((resolve) => void this.clock.after(10, resolve))
    await this.store.close()
    this.owner.isAlive = false
  }

  /** The store, with measurement of the time of the call's admission. */
  #timing(call: SimulatedCall): Store {
    const timed = async <Answer>(admission: Promise<Answer>): Promise<Answer> => {
      const since = this.clock.monotonicMs()
      try {
        return await admission
      } finally {
        call.admissionMs = this.clock.monotonicMs() - since
      }
    }
    return {
      ...this.store,
      admit: (charge, client) => timed(this.store.admit(charge, client)),
      admitKeyless: (charge, client) => timed(this.store.admitKeyless(charge, client)),
    }
  }
}

function textOf(report: LedgerReport): string {
  if (report.kind === 'settled') return report.wasWritten ? 'settled, written' : 'settled, never written'
  return report.kind
}
