import { Piscina } from 'piscina'
import type { Log } from '../observe/log.ts'
import { HungUp } from '../requests/call.ts'

/**
 * A thread that needs more dies alone, with the requests it holds, and is replaced. Measured on the worst bodies
 * of 5 MB that came to mind: 40 MB while they wait, 110 MB while they run.
 */
const HEAP_MB = 1_024

export interface ThreadOptions {
  readonly workerFile: string
  readonly threads: number
  readonly tasksPerThread: number
  readonly log: Log
  readonly heapMb?: number
}

/** Worker threads that are there from the start and stay. */
export function startThreads({ workerFile, threads, tasksPerThread, log, heapMb = HEAP_MB }: ThreadOptions): Piscina {
  const pool = new Piscina({
    filename: workerFile,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  pool.on('error', (error) => log.error({ err: error }, 'a worker thread failed'))
  return pool
}

/**
 * What comes of the work, unless the client goes away first; the work itself goes on.
 * @throws HungUp as soon as `hungUp` aborts
 */
export function unlessGone<Outcome>(work: Promise<Outcome>, hungUp: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new HungUp())
    if (hungUp.aborted) leave()
    hungUp.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => hungUp.removeEventListener('abort', leave))
  })
}
