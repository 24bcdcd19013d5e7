import { Piscina } from 'piscina'
import { ClientDisconnected } from '../client-connection.ts'
import type { Log } from '../observe/log.ts'

/**
 * A thread that needs more dies alone, with the request it runs, and is replaced. Measured on the worst bodies
 * of 5 MB that came to mind: 110 MB while they run.
 */
const HEAP_MB = 1_024

/** How long a thread beyond the fewest stays without work. */
const IDLE_MS = 10_000

/**
 * Threads import their module instead of requiring it: Node.js takes the whole process down when a thread is ended
 * while it requires an ES module.
 */
const EXEC_ARGV = ['--no-experimental-require-module']

export interface ThreadOptions {
  readonly workerFile: string
  /** Threads that are there from the start and stay, and the most there are. */
  readonly fewest: number
  readonly most: number
  readonly log: Log
  readonly heapMb?: number
}

/** Worker threads, one task each. */
export function startThreads({ workerFile, fewest, most, log, heapMb = HEAP_MB }: ThreadOptions): Piscina {
  const pool = new Piscina({
    filename: workerFile,
    minThreads: fewest,
    maxThreads: most,
    idleTimeout: IDLE_MS,
    execArgv: EXEC_ARGV,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  pool.on('error', (error) => log.error({ err: error }, 'a worker thread failed'))
  return pool
}

/**
 * What comes of the work, unless the client goes away first; the work itself goes on.
 * @throws ClientDisconnected as soon as `signal` aborts
 */
export function unlessGone<Outcome>(work: Promise<Outcome>, signal: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new ClientDisconnected())
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
