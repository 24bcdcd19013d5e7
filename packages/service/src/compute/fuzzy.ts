import type { Piscina } from 'piscina'
import type { Client, Ran } from '../requests/call.ts'
import { type FuzzyTask, type RunOutcome, raise, stopFlag } from './tasks.ts'
import { startThreads, type ThreadOptions, unlessGone } from './threads.ts'
import { type Release, Turns } from './turns.ts'

const WAITING = 64
const WAITING_PER_CALLER = 8

/** Work that was told to stop and does not listen loses its thread. */
const DEAF_MS = 5_000

export interface FuzzyOptions extends Omit<ThreadOptions, 'tasksPerThread'> {
  /** The operator's bound: wall clock of one run. */
  readonly fuzzySeconds: number
  readonly deafMs?: number
}

/** Where fuzzy work runs: threads of its own, one request each, in turns of the callers. */
export class FuzzyThreads {
  readonly #threads: Piscina
  readonly #turns: Turns
  readonly #patience: Patience
  readonly #underWay = new Set<Run>()

  constructor(options: FuzzyOptions) {
    this.#threads = startThreads({ ...options, tasksPerThread: 1 })
    this.#turns = new Turns({ places: options.threads, waiting: WAITING, waitingPerLane: WAITING_PER_CALLER })
    this.#patience = { boundMs: options.fuzzySeconds * 1_000, deafMs: options.deafMs ?? DEAF_MS }
  }

  /**
   * Deduplicates a body, which moves to a thread.
   * @throws HungUp
   */
  async run(body: ArrayBuffer, client: Client): Promise<Ran | 'busy' | 'too long'> {
    const release = await this.#turns.take(client)
    if (release === 'busy') return 'busy'
    const run = this.#start(body, release)
    const { hungUp } = client
    const halt = (): void => run.halt()
    hungUp.addEventListener('abort', halt, { once: true })
    try {
      return await unlessGone(run.outcome, hungUp)
    } finally {
      hungUp.removeEventListener('abort', halt)
    }
  }

  #start(body: ArrayBuffer, release: Release): Run {
    const run = new Run(this.#threads, body, this.#patience)
    this.#underWay.add(run)
    const end = (): void => {
      this.#underWay.delete(run)
      release()
    }
    run.outcome.then(end, end)
    return run
  }

  /** Ends what is under way and refuses what waits. */
  endWork(): void {
    this.#turns.close()
    for (const run of this.#underWay) run.halt()
  }

  async close(): Promise<void> {
    await this.#threads.destroy()
  }
}

interface Patience {
  readonly boundMs: number
  readonly deafMs: number
}

/** One run in a thread of its own, and the clocks that bound it. */
class Run {
  readonly outcome: Promise<Ran | 'too long'>
  readonly #stop = stopFlag()
  readonly #kill = new AbortController()
  readonly #bound: NodeJS.Timeout
  readonly #deafMs: number
  #deaf: NodeJS.Timeout | undefined

  constructor(threads: Piscina, body: ArrayBuffer, { boundMs, deafMs }: Patience) {
    this.#bound = setTimeout(() => this.halt(), boundMs)
    this.#deafMs = deafMs
    this.outcome = this.#work(threads, { body, stop: this.#stop })
  }

  /** Tells the work to end; frees its thread by force if it does not. */
  halt(): void {
    raise(this.#stop)
    this.#deaf ??= setTimeout(() => this.#kill.abort(), this.#deafMs)
  }

  async #work(threads: Piscina, task: FuzzyTask): Promise<Ran | 'too long'> {
    try {
      const { signal } = this.#kill
      const outcome: RunOutcome = await threads.run(task, { name: 'fuzzy', transferList: [task.body], signal })
      return outcome.kind === 'ran' ? outcome : 'too long'
    } catch (error) {
      if (this.#kill.signal.aborted) return 'too long'
      throw error
    } finally {
      clearTimeout(this.#bound)
      clearTimeout(this.#deaf)
    }
  }
}
