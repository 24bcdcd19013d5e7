import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type Refusal, unreachable } from '@keepfirst/protocol'
import type { Piscina } from 'piscina'
import { type Client, HungUp, type Job, type Ran } from '../requests/call.ts'
import type { Emails } from '../requests/steps/parse-emails.ts'
import { type ExactOutcome, type ExactTask, type Found, raise, stopFlag, type Word } from './tasks.ts'
import { startThreads, type ThreadOptions, unlessGone } from './threads.ts'
import { type Release, Turns } from './turns.ts'

/** Parsed requests that wait for their admission in one thread: memory that is held, while the thread serves others. */
const PARSED_PER_THREAD = 8
const WAITING = 64
const WAITING_PER_CALLER = 16

/** A body that turned out to ask for fuzzy work; it came back. */
export type FuzzyBody = Extract<ExactOutcome, { kind: 'fuzzy' }>

/** Where large bodies are parsed, and exact ones run. */
export class ExactThreads {
  readonly #threads: Piscina
  /** Room for requests, from before they are parsed until they have run. */
  readonly #rooms: Turns
  /** Whoever parses or runs has a turn; whoever waits for its admission has none. */
  readonly #turns: Turns
  readonly #underWay = new Set<Task>()

  constructor(options: Omit<ThreadOptions, 'tasksPerThread'>) {
    this.#threads = startThreads({ ...options, tasksPerThread: PARSED_PER_THREAD })
    const rooms = options.threads * PARSED_PER_THREAD
    this.#rooms = new Turns({ places: rooms, waiting: WAITING, waitingPerLane: WAITING_PER_CALLER })
    this.#turns = new Turns({ places: options.threads, waiting: rooms, waitingPerLane: rooms })
  }

  /**
   * Parses a body, which moves to a thread.
   * @throws HungUp
   */
  async open(body: ArrayBuffer, client: Client): Promise<Job | FuzzyBody | Refusal | 'busy'> {
    const entered = await this.#enter(client)
    if (entered === 'busy') return 'busy'
    const task = this.#start(body, client, entered.leave)
    task.first.then(entered.endTurn, entered.endTurn)
    const first = await unlessGone(task.first, client.hungUp)
    switch (first.kind) {
      case 'found':
        return jobOf(first, { task, client, turns: this.#turns })
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
  async readEmails(body: ArrayBuffer, client: Client): Promise<Emails | Refusal | 'busy'> {
    const entered = await this.#enter(client)
    if (entered === 'busy') return 'busy'
    const read: Promise<Emails | Refusal> = this.#threads.run(body, { name: 'emails', transferList: [body] })
    read.then(entered.endTurn, entered.endTurn)
    read.then(entered.leave, entered.leave)
    return await unlessGone(read, client.hungUp)
  }

  /** A room, and a first turn in it. */
  async #enter(client: Client): Promise<{ leave: Release; endTurn: Release } | 'busy'> {
    const leave = await this.#rooms.take(client)
    if (leave === 'busy') return 'busy'
    try {
      const endTurn = await this.#turns.take(client)
      if (endTurn !== 'busy') return { leave, endTurn }
      leave()
      return 'busy'
    } catch (error) {
      leave()
      throw error
    }
  }

  #start(body: ArrayBuffer, { hungUp }: Client, leave: Release): Task {
    const task = new Task(this.#threads, body)
    const halt = (): void => task.halt()
    hungUp.addEventListener('abort', halt, { once: true })
    this.#underWay.add(task)
    const end = (): void => {
      hungUp.removeEventListener('abort', halt)
      this.#underWay.delete(task)
      leave()
    }
    task.outcome.then(end, end)
    return task
  }

  /** Ends what is under way and refuses what waits. */
  endWork(): void {
    this.#rooms.close()
    this.#turns.close()
    for (const task of this.#underWay) task.stop()
  }

  async close(): Promise<void> {
    await this.#threads.destroy()
  }
}

/** A request in a thread, seen from the main thread. */
class Task {
  readonly outcome: Promise<ExactOutcome>
  /** What comes first: that it was parsed, or that it ended without. */
  readonly first: Promise<Found | ExactOutcome>
  readonly #port: MessagePort
  readonly #stop = stopFlag()

  constructor(threads: Piscina, body: ArrayBuffer) {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const task: ExactTask = { body, stop: this.#stop, port: port2 }
    this.outcome = threads.run(task, { name: 'exact', transferList: [body, port2] })
    this.first = Promise.race([found(port1), this.outcome])
    const close = (): void => port1.close()
    this.outcome.then(close, close)
  }

  tell(word: Word): void {
    this.#port.postMessage(word)
  }

  /** Ends its run, now or as soon as it begins. */
  stop(): void {
    raise(this.#stop)
  }

  /** Nobody waits for it any more. */
  halt(): void {
    this.stop()
    this.tell('discard')
  }
}

async function found(port: MessagePort): Promise<Found> {
  const [message]: readonly Found[] = await once(port, 'message')
  if (message === undefined) throw new Error('a thread sent an empty message')
  return message
}

interface Parked {
  readonly task: Task
  readonly client: Client
  readonly turns: Turns
}

function jobOf({ mode, rows }: Found, { task, client, turns }: Parked): Job {
  return {
    kind: 'job',
    mode,
    rows,
    fuzzy: false,
    async run() {
      const endTurn = await turns.take(client)
      if (endTurn === 'busy') {
        task.halt()
        return 'busy'
      }
      task.outcome.then(endTurn, endTurn)
      task.tell('run')
      return ranOrBusy(await unlessGone(task.outcome, client.hungUp))
    },
    discard() {
      task.tell('discard')
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
