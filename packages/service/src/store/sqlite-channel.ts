import { Worker } from 'node:worker_threads'
import { PACKAGE } from '../package-files.ts'
import { expectAnswer } from './sqlite-connection.ts'
import type { SqliteExecutor, ThreadAnswer, ThreadData, ThreadRequest } from './sqlite-thread-protocol.ts'

interface Waiting {
  readonly resolve: (answer: ThreadAnswer) => void
  readonly reject: (error: Error) => void
}

/** Talks to a SQLite thread. Answers come in the order of the requests. */
export class SqliteChannel implements SqliteExecutor {
  /** Resolves when the database is open. */
  readonly opened: Promise<void>
  readonly #worker: Worker
  readonly #waiting: Waiting[] = []
  #failure: Error | undefined
  #isOpen = false
  #isClosing = false

  constructor(data: ThreadData) {
    // The built file, even when this file runs from source, because a thread cannot compile it.
    const file = new URL('bundle/sqlite-thread.js', PACKAGE)
    this.#worker = new Worker(file, { workerData: data })
    this.#worker.once('message', ({ kind }: ThreadAnswer) => {
      this.#isOpen = kind === 'done'
    })
    this.#worker.on('message', (answer: ThreadAnswer) => this.#waiting.shift()?.resolve(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => {
      this.#fail(new Error('the database is closed'))
      // Without its ledger the process is useless, so it ends as after any uncaught error, to be restarted. A thread
      // that could not open its database has reported that.
      if (this.#isOpen && !this.#isClosing)
        throw new Error('the SQLite thread ended by itself', { cause: this.#failure })
    })
    this.opened = this.#next().then((answer) => void expectAnswer(answer, 'done'))
  }

  async ask<Kind extends ThreadAnswer['kind']>(
    request: ThreadRequest,
    kind: Kind,
  ): Promise<Extract<ThreadAnswer, { kind: Kind }>> {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage(request)
    return expectAnswer(await this.#next(), kind)
  }

  /** Ends the thread after all earlier requests. */
  async close(): Promise<void> {
    this.#isClosing = true
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve))
    await this.ask({ kind: 'close' }, 'done')
    await ended
  }

  /** Ends a thread whose database could not be opened. */
  async abandon(): Promise<void> {
    this.#isClosing = true
    await this.#worker.terminate()
  }

  #next(): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
    })
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
  }
}
