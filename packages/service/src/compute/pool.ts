import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Refusal, unreachable } from '@keepfirst/protocol'
import type { Log } from '../observe/log.ts'
import { type Client, type Compute, type EmailReader, HungUp, type Job } from '../requests/call.ts'
import { type Parsed, parse } from '../requests/steps/parse.ts'
import { type Emails, parseEmails } from '../requests/steps/parse-emails.ts'
import { ExactThreads } from './exact.ts'
import { FuzzyThreads } from './fuzzy.ts'

/**
 * Bodies up to this size are parsed and run in line. Measured: 16 KB hold the event loop for 0.4 to 1 ms. In a
 * thread they would hold it for 0.1 to 0.2 ms, and cost 0.3 ms of CPU more.
 */
const IN_LINE_BYTES = 16 * 1_024

/** The same file from `src` and from `dist`: threads run what was built. */
const WORKER_FILE = fileURLToPath(new URL('../../dist/compute/worker.js', import.meta.url))

export interface PoolOptions {
  readonly fuzzySeconds: number
  readonly log: Log
  /** Threads for exact work, and as many for fuzzy work; by default all cores but that of the event loop. */
  readonly threads?: number
  readonly workerFile?: string
  /** Heap of one thread. */
  readonly heapMb?: number
}

/** Where requests are parsed and run: small ones in line, large and fuzzy ones in worker threads. */
export class Pool implements Compute, EmailReader {
  readonly #exact: ExactThreads
  readonly #fuzzy: FuzzyThreads

  constructor(options: PoolOptions) {
    const threads = Math.max(1, availableParallelism() - 1)
    const all = { threads, workerFile: WORKER_FILE, ...options }
    this.#exact = new ExactThreads(all)
    this.#fuzzy = new FuzzyThreads(all)
  }

  async open(body: ArrayBuffer, client: Client): Promise<Job | Refusal | 'busy'> {
    const opened = body.byteLength <= IN_LINE_BYTES ? parse(body) : await this.#exact.open(body, client)
    if (opened === 'busy') return opened
    switch (opened.kind) {
      case 'parsed':
        return opened.fuzzy ? this.#fuzzyJob({ ...opened, body }, client) : inLineJob(opened, client)
      case 'fuzzy':
        return this.#fuzzyJob(opened, client)
      case 'job':
      case 'refusal':
        return opened
      default:
        return unreachable(opened)
    }
  }

  async readEmails(body: ArrayBuffer, client: Client): Promise<Emails | Refusal | 'busy'> {
    return body.byteLength <= IN_LINE_BYTES ? parseEmails(body) : await this.#exact.readEmails(body, client)
  }

  #fuzzyJob({ mode, rows, body }: Pick<Parsed, 'mode' | 'rows'> & { body: ArrayBuffer }, client: Client): Job {
    return {
      kind: 'job',
      mode,
      rows,
      fuzzy: true,
      run: () => this.#fuzzy.run(body, client),
      discard() {},
    }
  }

  /** The server stops: ends what is under way, as work that took too long, and refuses what waits. */
  endWork(): void {
    this.#exact.endWork()
    this.#fuzzy.endWork()
  }

  /** Lets go of the threads. */
  async close(): Promise<void> {
    await Promise.all([this.#exact.close(), this.#fuzzy.close()])
  }
}

function inLineJob(parsed: Parsed, { hungUp }: Client): Job {
  const { mode, rows } = parsed
  return {
    kind: 'job',
    mode,
    rows,
    fuzzy: false,
    async run() {
      if (hungUp.aborted) throw new HungUp()
      return parsed.run(() => false)
    },
    discard() {},
  }
}
