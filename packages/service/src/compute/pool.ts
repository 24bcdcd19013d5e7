import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Refusal } from '@keepfirst/protocol'
import { ClientDisconnected } from '../client-connection.ts'
import { FairSemaphore, type Release, SemaphoreClosed } from '../limits/fair-semaphore.ts'
import type { Log } from '../observe/log.ts'
import type { QueueCounts, QueueName } from '../observe/metrics.ts'
import { PACKAGE } from '../package-files.ts'
import type { Compute, Requester } from './compute.ts'
import { FuzzyScheduler } from './fuzzy-scheduler.ts'
import { type Emails, parseEmails } from './parse-emails.ts'
import { isFuzzy, type ParsedRequest, parseRequest } from './parse-request.ts'
import { type RunOutcome, type RunResult, runInline } from './tasks.ts'
import { rejectOnDisconnect, Threads } from './threads.ts'

/**
 * Bodies up to this size are parsed and run on the event loop. Measured: 64 KB of personal data blocks it for 0.1 to
 * 0.3 ms, 64 KB of small numbers for 1.6 ms. Using a thread costs 0.3 ms more CPU time, 0.1 to 0.3 ms of it on the
 * event loop.
 */
const INLINE_BYTES = 64 * 1_024

/** Threads run the bundle, even if this file runs from source, because they cannot compile it. */
const WORKER_FILE = fileURLToPath(new URL('bundle/worker.js', PACKAGE))

export interface PoolOptions {
  readonly fuzzySeconds: number
  /** Milliseconds of the service's clock. */
  readonly now: () => number
  /** Called with the time that a request waited for its thread. */
  readonly observeWait?: ((queue: QueueName, waitMs: number) => void) | undefined
  readonly log: Log
  /** Threads for each of exact work, small fuzzy work and long fuzzy work; by default all cores but one. */
  readonly threads?: number
  readonly workerFile?: string
  /** Heap size of one thread. */
  readonly heapMb?: number
  /** How long work that was told to stop may keep its thread if it does not respond. */
  readonly stopTimeoutMs?: number
}

/** Parses and runs requests: on the event loop if small, in worker threads if large or fuzzy. */
export class Pool implements Compute {
  readonly #threads: Threads
  readonly #places: FairSemaphore
  readonly #fuzzy: FuzzyScheduler
  readonly #now: () => number
  readonly #observeWait: (queue: QueueName, waitMs: number) => void

  constructor(options: PoolOptions) {
    const all = { threads: Math.max(1, availableParallelism() - 1), workerFile: WORKER_FILE, ...options }
    this.#threads = new Threads({ ...all, minThreads: all.threads, maxThreads: all.threads })
    this.#places = new FairSemaphore(all.threads)
    this.#now = options.now
    this.#observeWait = options.observeWait ?? (() => {})
    this.#fuzzy = new FuzzyScheduler({ ...all, observeWait: (waitMs) => this.#observeWait('fuzzy', waitMs) })
  }

  async parse(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<ParsedRequest | Refusal | 'stopping'> {
    if (body.byteLength <= INLINE_BYTES) return parseRequest(body)
    return await this.#inThread(requester, () =>
      this.#threads.run(body, { name: 'parse', transferList: [body.buffer] }),
    )
  }

  async parseEmails(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<Emails | Refusal | 'stopping'> {
    if (body.byteLength <= INLINE_BYTES) return parseEmails(body)
    return await this.#inThread(requester, () =>
      this.#threads.run(body, { name: 'emails', transferList: [body.buffer] }),
    )
  }

  /**
   * @throws ClientDisconnected when the client disconnects
   * @throws Error when a thread failed
   */
  async run(request: ParsedRequest, requester: Requester): Promise<RunResult | 'too long' | 'stopping'> {
    if (isFuzzy(request)) return await this.#fuzzy.run(request, requester)
    const { bytes } = request.data
    if (bytes.byteLength <= INLINE_BYTES) return inline(request, requester)
    const outcome = await this.#inThread<RunOutcome>(requester, () =>
      this.#threads.run({ request }, { name: 'run', transferList: [bytes.buffer] }),
    )
    if (outcome === 'stopping' || outcome.kind === 'ran') return outcome
    throw new Error('exact work was stopped')
  }

  /** Work of a few hundredths of a second, which keeps its place to the end even if its client disconnects. */
  async #inThread<Outcome>(requester: Requester, work: () => Promise<Outcome>): Promise<Outcome | 'stopping'> {
    const since = this.#now()
    const release = await this.#acquire(requester)
    if (release === 'stopping') return 'stopping'
    this.#observeWait('exact', this.#now() - since)
    const outcome = work()
    outcome.then(release, release)
    return await rejectOnDisconnect(outcome, requester.client.signal)
  }

  async #acquire({ tenant, client }: Requester): Promise<Release | 'stopping'> {
    try {
      return await this.#places.acquire(tenant, client)
    } catch (error) {
      if (error instanceof SemaphoreClosed) return 'stopping'
      throw error
    }
  }

  /** How many requests wait for a thread, and how many have one. */
  get queues(): Readonly<Record<QueueName, QueueCounts>> {
    const exact = { waiting: this.#places.waiting, running: this.#places.taken }
    return { exact, fuzzy: this.#fuzzy.counts }
  }

  /** Called on shutdown: ends running work and refuses what is waiting. */
  endWork(): void {
    this.#places.close()
    this.#fuzzy.endWork()
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#threads.close(), this.#fuzzy.close()])
  }
}

function inline(request: ParsedRequest, { client }: Requester): RunResult {
  if (client.aborted) throw new ClientDisconnected()
  return runInline(request)
}
