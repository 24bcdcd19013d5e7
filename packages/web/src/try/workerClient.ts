import type {
  Answer,
  Counts,
  FileName,
  Fold,
  FromWorker,
  Line,
  Order,
  RunRequest,
  Summary,
  ToWorker,
  WorkerRequest,
} from './messages.ts'

/** A run was abandoned because another one replaced it, or the user cancelled it. */
export class RunAbandoned extends Error {
  override readonly name = 'RunAbandoned'
}

interface PendingRequest {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
  readonly onProgress: (share: number) => void
}

const NOT_LOADED = 'A part of this page could not be loaded. Check your connection and reload the page.'

/**
 * The page's side of the worker. One run at a time: a new run terminates the worker of the current one, since nothing
 * else can stop a busy thread.
 * @throws RunAbandoned when the run is abandoned, and otherwise an error whose message is meant for the user
 */
export class WorkerClient {
  #worker: Worker | undefined
  readonly #pending = new Map<number, PendingRequest>()
  readonly #onFailure: (message: string) => void
  #lastId = 0
  #running = 0

  /** @param onFailure called when something about the finished run fails, such as reading its file again */
  constructor(onFailure: (message: string) => void) {
    this.#onFailure = onFailure
  }

  async run(request: RunRequest, onProgress: (share: number) => void): Promise<Summary> {
    if (this.#running > 0) this.abandon()
    this.#running += 1
    try {
      const answer = await this.#send(request, onProgress)
      return answer.kind === 'finished' ? answer.summary : failed(answer)
    } finally {
      this.#running -= 1
    }
  }

  async show(request: Omit<Extract<WorkerRequest, { kind: 'show' }>, 'kind'>): Promise<readonly Line[]> {
    const answer = await this.#send({ kind: 'show', ...request })
    return answer.kind === 'lines' ? answer.lines : failed(answer)
  }

  arrange(order: Order, fold?: Fold): Promise<Counts> {
    return this.#counts(fold ? { kind: 'arrange', order, fold } : { kind: 'arrange', order })
  }

  setRestored(entry: number, isRestored: boolean): Promise<Counts> {
    return this.#counts({ kind: 'setRestored', entry, isRestored })
  }

  async file(file: FileName): Promise<Blob> {
    const answer = await this.#send({ kind: 'file', file })
    return answer.kind === 'file' ? answer.file : failed(answer)
  }

  async #counts(request: WorkerRequest): Promise<Counts> {
    const answer = await this.#send(request)
    return answer.kind === 'counts' ? answer.counts : failed(answer)
  }

  /** Abandons the current run, if any. */
  abandon(): void {
    this.#end(new RunAbandoned())
  }

  #send(request: WorkerRequest, onProgress: (share: number) => void = () => undefined): Promise<Answer> {
    const worker = this.#worker ?? this.#start()
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, onProgress })
      worker.postMessage({ id, request } satisfies ToWorker)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data))
    worker.addEventListener('error', (event) => {
      // Only an error inside the worker has a message; otherwise its script could not be loaded.
      this.#end(new Error(event.message ? 'This list is too large for this browser.' : NOT_LOADED))
    })
    this.#worker = worker
    return worker
  }

  #receive({ id, response }: FromWorker): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    if (response.kind === 'progress') {
      pending.onProgress(response.share)
    } else {
      this.#pending.delete(id)
      pending.resolve(response)
      // During a run there is nothing to ask about, so that a failure means nothing.
      if (response.kind === 'failed' && this.#running === 0) this.#onFailure(response.message)
    }
  }

  #end(error: Error): void {
    this.#worker?.terminate()
    this.#worker = undefined
    const abandoned = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of abandoned) reject(error)
  }
}

function failed(answer: Answer): never {
  throw new Error(answer.kind === 'failed' ? answer.message : 'The worker answered a different request.')
}
