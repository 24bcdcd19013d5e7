import { ClientDisconnected } from '../client-connection.ts'
import type { QueueCounts } from '../observe/metrics.ts'
import type { Requester } from './compute.ts'
import { type FuzzyOutcome, FuzzyRun } from './fuzzy-run.ts'
import type { ParsedRequest } from './parse-request.ts'
import { rejectOnDisconnect, type ThreadOptions, Threads } from './threads.ts'
import { TimeShare } from './time-share.ts'
import { TimeoutPenalty } from './timeout-penalty.ts'

/** A run of at most this many operations is small: half a second at most. */
const SMALL_OPERATIONS = 1e9

/** The most tenants whose long runs share the time; others wait until one of these runs has ended. */
const MAX_LONG_TENANTS = 4

export interface FuzzyOptions extends Omit<ThreadOptions, 'minThreads' | 'maxThreads'> {
  /** How many small runs may work at the same time, and how many long ones. */
  readonly threads: number
  /** The operator's limit: time from the arrival of a request to its answer. */
  readonly fuzzySeconds: number
  /** Milliseconds of the service's clock. */
  readonly now: () => number
  readonly stopTimeoutMs?: number
  readonly observeWait: (waitMs: number) => void
}

/**
 * Runs fuzzy work in its own threads, some of which are reserved for small requests. Tenants share the running time of
 * long requests.
 */
export class FuzzyScheduler {
  readonly #options: FuzzyOptions
  readonly #boundMs: number
  readonly #threads: Threads
  readonly #small: TimeShare
  readonly #long: TimeShare
  readonly #penalty: TimeoutPenalty
  readonly #open = new Set<FuzzyRun>()
  #isClosed = false

  constructor(options: FuzzyOptions) {
    const { threads, now } = options
    this.#options = options
    this.#boundMs = options.fuzzySeconds * 1_000
    const longThreads = MAX_LONG_TENANTS * threads
    this.#threads = new Threads({ ...options, minThreads: 2 * threads, maxThreads: threads + longThreads })
    this.#small = new TimeShare({ maxRunning: threads, maxStarted: threads, now })
    this.#long = new TimeShare({ maxRunning: threads, maxStarted: longThreads, now })
    this.#penalty = new TimeoutPenalty(this.#boundMs / 2)
  }

  /**
   * Deduplicates. The parsed request's buffer moves to a thread.
   * @throws ClientDisconnected when the client disconnects
   */
  async run(request: ParsedRequest, { tenant, client, arrivedAt }: Requester): Promise<FuzzyOutcome> {
    if (client.aborted) throw new ClientDisconnected()
    if (this.#isClosed) return 'stopping'
    const { now, stopTimeoutMs, observeWait } = this.#options
    const isSmall = maxOperations(request) <= SMALL_OPERATIONS
    const earliestAt = isSmall ? 0 : this.#penalty.earliestFor(tenant, now())
    const since = now()
    const onBegin = (): void => observeWait(now() - since)
    const run = new FuzzyRun(request, { tenant, threads: this.#threads, earliestAt, stopTimeoutMs, onBegin })
    const { signal } = client
    const onAbort = (): void => run.stop('too long') // for any reason: the client no longer waits for it
    const deadline = setTimeout(() => this.#onTimeout(run), arrivedAt + this.#boundMs - now())
    signal.addEventListener('abort', onAbort, { once: true })
    this.#open.add(run)
    if (isSmall) this.#small.add(run)
    else this.#long.add(run)
    try {
      return await rejectOnDisconnect(run.outcome, signal)
    } finally {
      clearTimeout(deadline)
      signal.removeEventListener('abort', onAbort)
      this.#open.delete(run)
    }
  }

  #onTimeout(run: FuzzyRun): void {
    run.stop('too long')
    this.#penalty.timedOut(run.tenant, run.ranMs, this.#options.now())
  }

  /** Runs that wait for a thread or are paused, and runs that are working. */
  get counts(): QueueCounts {
    let running = 0
    for (const { state } of this.#open) if (state === 'running') running += 1
    return { waiting: this.#open.size - running, running }
  }

  /** Ends running work and refuses what is waiting. */
  endWork(): void {
    this.#isClosed = true
    for (const run of this.#open) run.stop('stopping')
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }
}

/**
 * An upper bound for the operations of a fuzzy request: comparing a pair of keys of m and n characters takes at most
 * m · ⌈n / 32⌉ operations of the kernel, and this is the largest sum for any distribution of the bytes over the rows.
 */
function maxOperations({ data }: ParsedRequest): number {
  const { byteLength } = data.bytes
  return (byteLength * byteLength) / 64 + (data.count * byteLength) / 2
}
