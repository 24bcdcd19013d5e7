import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Refusal, unreachable } from '@keepfirst/protocol'
import type { Piscina } from 'piscina'
import { HungUp, type Job, type Ran } from '../requests/call.ts'
import type { Emails } from '../requests/steps/parse-emails.ts'
import { type ExactOutcome, type ExactTask, type Found, raise, stopFlag, type Word } from './tasks.ts'
import { startThreads, type ThreadOptions, unlessGone } from './threads.ts'
import { Turns } from './turns.ts'

/** Parsed requests that wait for their admission in one thread: memory that is held, while the thread serves others. */
const PARSED_PER_THREAD = 8
const WAITING = 64

/** A body that turned out to ask for fuzzy work; it came back. */
export type FuzzyBody = Extract<ExactOutcome, { kind: 'fuzzy' }>

/** Where large bodies are parsed, and exact ones run. */
export class ExactThreads {
  readonly #threads: Piscina
  readonly #turns: Turns
  readonly #underWay = new Set<SharedArrayBuffer>()

  constructor(options: Omit<ThreadOptions, 'tasksPerThread'>) {
    this.#threads = startThreads({ ...options, tasksPerThread: PARSED_PER_THREAD })
    const places = options.threads * PARSED_PER_THREAD
    this.#turns = new Turns({ places, waiting: WAITING, waitingPerLane: WAITING })
  }

  /**
   * Parses a body, which moves to a thread.
   * @throws HungUp
   */
  async open(body: ArrayBuffer, hungUp: AbortSignal): Promise<Job | FuzzyBody | Refusal | 'busy'> {
    const release = await this.#turns.take('all', hungUp)
    if (release === 'busy') return 'busy'
    const { port1: port, port2 } = new MessageChannel()
    const stop = stopFlag()
    const outcome = this.#start({ body, stop, port: port2 })
    const leave = (): void => {
      raise(stop)
      tell(port, 'discard')
    }
    hungUp.addEventListener('abort', leave, { once: true })
    this.#underWay.add(stop)
    const end = (): void => {
      hungUp.removeEventListener('abort', leave)
      this.#underWay.delete(stop)
      port.close()
      release()
    }
    outcome.then(end, end)
    const first = await unlessGone(Promise.race([found(port), outcome]), hungUp)
    switch (first.kind) {
      case 'found':
        return jobOf(first, { port, outcome, hungUp })
      case 'refusal':
      case 'fuzzy':
        return first
      case 'discarded':
        throw new HungUp()
      case 'ran':
      case 'stopped':
        throw new Error('a thread ran a request that it had not announced')
      default:
        return unreachable(first)
    }
  }

  /**
   * Reads addresses from a body, which moves to a thread; they come back at once, nothing stays there.
   * @throws HungUp
   */
  async readEmails(body: ArrayBuffer, hungUp: AbortSignal): Promise<Emails | Refusal | 'busy'> {
    const release = await this.#turns.take('all', hungUp)
    if (release === 'busy') return 'busy'
    const read: Promise<Emails | Refusal> = this.#threads.run(body, { name: 'emails', transferList: [body] })
    read.then(release, release)
    return await unlessGone(read, hungUp)
  }

  #start(task: ExactTask): Promise<ExactOutcome> {
    return this.#threads.run(task, { name: 'exact', transferList: [task.body, task.port] })
  }

  /** Ends what is under way and refuses what waits. */
  endWork(): void {
    this.#turns.close()
    for (const stop of this.#underWay) raise(stop)
  }

  async close(): Promise<void> {
    await this.#threads.destroy()
  }
}

interface Parked {
  readonly port: MessagePort
  readonly outcome: Promise<ExactOutcome>
  readonly hungUp: AbortSignal
}

function jobOf({ mode, rows }: Found, { port, outcome, hungUp }: Parked): Job {
  return {
    kind: 'job',
    mode,
    rows,
    fuzzy: false,
    run() {
      tell(port, 'run')
      return unlessGone(outcome.then(ranOrBusy), hungUp)
    },
    discard() {
      tell(port, 'discard')
    },
  }
}

/** Exact work ends early only when the server stops, or when nobody is there to be answered. */
function ranOrBusy(outcome: ExactOutcome): Ran | 'busy' {
  switch (outcome.kind) {
    case 'ran':
      return outcome
    case 'stopped':
      return 'busy'
    case 'discarded':
      throw new HungUp()
    case 'refusal':
    case 'fuzzy':
      throw new Error('a thread parsed a request twice')
    default:
      return unreachable(outcome)
  }
}

async function found(port: MessagePort): Promise<Found> {
  const [message]: readonly Found[] = await once(port, 'message')
  if (message === undefined) throw new Error('a thread sent an empty message')
  return message
}

function tell(port: MessagePort, word: Word): void {
  port.postMessage(word)
}
