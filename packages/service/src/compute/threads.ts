import { Piscina } from 'piscina'
import { ClientDisconnected } from '../client-connection.ts'
import type { Log } from '../observe/log.ts'

/**
 * A thread that needs more memory fails, along with its request but without affecting others, and is replaced. The
 * worst 5 MB bodies that we found take 110 MB.
 */
const HEAP_MB = 1_024

/** How long a thread beyond the minimum is kept without work. */
const IDLE_MS = 10_000

/**
 * Threads load their module with import rather than require: Node.js crashes the whole process if a thread is
 * terminated while it requires an ES module.
 */
const EXEC_ARGV = ['--no-experimental-require-module']

export interface ThreadOptions {
  readonly workerFile: string
  /** The number of threads that are started with the first task and kept, and the maximum. */
  readonly minThreads: number
  readonly maxThreads: number
  readonly log: Log
  readonly heapMb?: number
}

type Run = Piscina['run']

/**
 * Worker threads, each of which runs one task at a time. They start with the first task: a server that gets only small
 * requests starts sooner and takes 20 MB less without them. If one cannot start, waiting tasks fail, and all threads
 * are started anew with the next task.
 */
export class Threads {
  readonly #options: ThreadOptions
  #pool: Piscina | undefined

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /**
   * Calls the worker's function of a name.
   * @throws Error when the thread fails or cannot start
   */
  async run(task: Parameters<Run>[0], options: Parameters<Run>[1]): ReturnType<Run> {
    this.#pool ??= this.#startPool()
    return await this.#pool.run(task, options)
  }

  /** Ends them all, whatever they are doing. */
  async close(): Promise<void> {
    await this.#pool?.destroy()
  }

  #startPool(): Piscina {
    const { workerFile, minThreads, maxThreads, log, heapMb = HEAP_MB } = this.#options
    const pool = new Piscina({
      filename: workerFile,
      minThreads,
      maxThreads,
      idleTimeout: IDLE_MS,
      execArgv: EXEC_ARGV,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    pool.on('error', (error) => {
      log.error({ err: error }, 'a worker thread failed')
      // A thread that fails without a task did not start. Piscina would let tasks wait for it, and not replace it.
      if (this.#pool === pool) this.#pool = undefined
      void pool.destroy()
    })
    return pool
  }
}

/**
 * The result of the work, unless the client disconnects first; the work itself continues.
 * @throws ClientDisconnected when `signal` aborts
 */
export function rejectOnDisconnect<Outcome>(work: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new ClientDisconnected())
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
