import { Control } from './control.ts'
import type { ParsedRequest } from './parse-request.ts'
import type { RunOutcome, RunResult, RunTask } from './tasks.ts'
import type { Threads } from './threads.ts'
import type { SharedRun } from './time-share.ts'

/** Work that does not stop within this time loses its thread. */
const STOP_TIMEOUT_MS = 5_000

export type FuzzyOutcome = RunResult | 'too long' | 'stopping'

export interface FuzzyRunOptions {
  readonly tenant: string
  readonly threads: Pick<Threads, 'run'>
  /** Earliest start, in milliseconds of the service's clock. */
  readonly earliestAt: number
  readonly stopTimeoutMs?: number | undefined
  /** Called when it gets a thread. */
  readonly onBegin: () => void
}

/** One fuzzy request, from waiting for a thread to its end. */
export class FuzzyRun implements SharedRun {
  readonly tenant: string
  /** The result for its caller; no later than `ended`. */
  readonly outcome: Promise<FuzzyOutcome>
  readonly ended: Promise<void>
  state: 'waiting' | 'running' | 'paused' | 'ended' = 'waiting'
  readonly earliestAt: number
  ranMs = 0
  readonly #threads: Pick<Threads, 'run'>
  readonly #task: RunTask & { readonly control: SharedArrayBuffer }
  readonly #stopTimeoutMs: number
  readonly #onBegin: () => void
  readonly #control = new Control()
  readonly #kill = new AbortController()
  #resolve: (outcome: FuzzyOutcome) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #end: () => void = () => {}
  #killTimer: NodeJS.Timeout | undefined

  constructor(
    request: ParsedRequest,
    { tenant, threads, earliestAt, stopTimeoutMs = STOP_TIMEOUT_MS, onBegin }: FuzzyRunOptions,
  ) {
    this.tenant = tenant
    this.earliestAt = earliestAt
    this.#threads = threads
    this.#stopTimeoutMs = stopTimeoutMs
    this.#onBegin = onBegin
    this.#task = { request, control: this.#control.memory }
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  startOrResume(): void {
    if (this.state === 'waiting') {
      this.#onBegin()
      void this.#work()
    } else if (this.state === 'paused') this.#control.resume()
    this.state = 'running'
  }

  /** Pauses it at its next check; it keeps its thread. */
  pause(): void {
    this.#control.pause()
    this.state = 'paused'
  }

  /** Ends it: the caller learns why at once; the thread is freed when the work stops, or else by force. */
  stop(reason: 'too long' | 'stopping'): void {
    this.#resolve(reason)
    if (this.state === 'waiting') this.#finish()
    if (this.state === 'ended') return
    this.#control.stop()
    this.#killTimer ??= setTimeout(() => this.#kill.abort(), this.#stopTimeoutMs)
  }

  async #work(): Promise<void> {
    const how = { name: 'run', transferList: [this.#task.request.data.bytes.buffer], signal: this.#kill.signal }
    try {
      const outcome: RunOutcome = await this.#threads.run(this.#task, how)
      if (outcome.kind === 'ran') this.#resolve(outcome)
    } catch (error) {
      this.#reject(error)
      this.#control.stop() // Piscina keeps work for which no thread could start, and gives it to the next free one
    }
    this.#finish()
  }

  #finish(): void {
    clearTimeout(this.#killTimer)
    this.state = 'ended'
    this.#end()
  }
}
