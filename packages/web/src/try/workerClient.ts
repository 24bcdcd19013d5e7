import type {
  Answer,
  Ask,
  Counts,
  FileName,
  Fold,
  FromWorker,
  JudgeAsk,
  Line,
  Order,
  Summary,
  ToWorker,
} from './messages.ts'

/** A run was abandoned because another one replaced it, or the user cancelled it. */
export class Left extends Error {
  override readonly name = 'Left'
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  readonly onProgress: (share: number) => void
}

/**
 * The page's side of the worker. One run at a time: a new run terminates the worker of the current one, since nothing
 * else can stop a busy thread.
 * @throws Left when the run is abandoned, and otherwise an error whose message is meant for the user
 */
export class WorkerClient {
  #worker: Worker | undefined
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #judging = 0

  async judge(ask: JudgeAsk, onProgress: (share: number) => void): Promise<Summary> {
    if (this.#judging > 0) this.leave()
    this.#judging += 1
    try {
      const answer = await this.#ask(ask, onProgress)
      return answer.kind === 'judged' ? answer.summary : failed(answer)
    } finally {
      this.#judging -= 1
    }
  }

  async show(ask: Omit<Extract<Ask, { kind: 'show' }>, 'kind'>): Promise<readonly Line[]> {
    const answer = await this.#ask({ kind: 'show', ...ask })
    return answer.kind === 'lines' ? answer.lines : failed(answer)
  }

  arrange(order: Order, fold?: Fold): Promise<Counts> {
    return this.#counts(fold ? { kind: 'arrange', order, fold } : { kind: 'arrange', order })
  }

  setRestored(entry: number, isRestored: boolean): Promise<Counts> {
    return this.#counts({ kind: 'setRestored', entry, isRestored })
  }

  async file(file: FileName): Promise<Blob> {
    const answer = await this.#ask({ kind: 'file', file })
    return answer.kind === 'file' ? answer.file : failed(answer)
  }

  async #counts(ask: Ask): Promise<Counts> {
    const answer = await this.#ask(ask)
    return answer.kind === 'counts' ? answer.counts : failed(answer)
  }

  /** Ends the current run, if any. */
  leave(): void {
    this.#end(new Left())
  }

  #ask(ask: Ask, onProgress: (share: number) => void = () => undefined): Promise<Answer> {
    const worker = this.#worker ?? this.#start()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onProgress })
      worker.postMessage({ id, ask } satisfies ToWorker)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#take(data))
    worker.addEventListener('error', () => this.#end(new Error('This list is too large for this browser.')))
    this.#worker = worker
    return worker
  }

  #take({ id, says }: FromWorker): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    if (says.kind === 'progress') {
      waiting.onProgress(says.share)
    } else {
      this.#waiting.delete(id)
      waiting.resolve(says)
    }
  }

  #end(error: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of left) reject(error)
  }
}

function failed(answer: Answer): never {
  throw new Error(answer.kind === 'failed' ? answer.message : 'The worker answered another question.')
}
