import type { Clock } from '../../packages/service/src/store/clock.ts'

/** The process that a task belongs to. Tasks of a dead process are dropped; those of a frozen one run when it thaws. */
export interface Owner {
  isAlive: boolean
  frozenUntil: number
}

type Work = () => unknown

interface Task {
  readonly at: number
  /** Tasks with the same time run in the order in which they were planned. */
  readonly order: number
  readonly owner: Owner | undefined
  readonly work: Work
  isCancelled: boolean
}

/** Virtual time in whole milliseconds; it advances only when nothing is left to do at the current time. */
export class Scheduler {
  now = 0
  #planned = 0
  /** A binary heap with the next task first. */
  readonly #tasks: Task[] = []

  /** Runs `work` once after a delay. If it returns a promise, time stands still until that is settled. */
  after(delayMs: number, work: Work, owner?: Owner): () => void {
    const task = this.#plan(this.now + Math.ceil(delayMs), owner, work)
    return () => {
      task.isCancelled = true
    }
  }

  /** Runs all tasks up to this time. */
  async runUntil(end: number): Promise<void> {
    for (;;) {
      const task = this.#tasks[0]
      if (task === undefined || task.at > end) break
      this.#dropFirst()
      this.now = Math.max(this.now, task.at)
      await this.#run(task)
    }
    this.now = end
  }

  async #run({ owner, work, isCancelled }: Task): Promise<void> {
    if (isCancelled || owner?.isAlive === false) return
    if (owner !== undefined && owner.frozenUntil > this.now) {
      this.#plan(owner.frozenUntil, owner, work)
      return
    }
    await work()
    // Everything that does not wait for time happens before the next task.
    await new Promise((resolve) => setImmediate(resolve))
  }

  #plan(at: number, owner: Owner | undefined, work: Work): Task {
    this.#planned += 1
    const task: Task = { at, order: this.#planned, owner, work, isCancelled: false }
    const tasks = this.#tasks
    let index = tasks.push(task) - 1
    while (index > 0) {
      const parent = tasks[(index - 1) >> 1]
      if (parent === undefined || isBefore(parent, task)) break
      tasks[index] = parent
      index = (index - 1) >> 1
    }
    tasks[index] = task
    return task
  }

  #dropFirst(): void {
    const tasks = this.#tasks
    const last = tasks.pop()
    if (last === undefined || tasks.length === 0) return
    let index = 0
    for (;;) {
      const right = tasks[2 * index + 2]
      const left = tasks[2 * index + 1]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const next = isRight ? right : left
      if (next === undefined || isBefore(last, next)) break
      tasks[index] = next
      index = 2 * index + (isRight ? 2 : 1)
    }
    tasks[index] = last
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** The clocks of a process. Its wall clock may be wrong, and may be set. */
export class ProcessClock implements Clock {
  readonly #scheduler: Scheduler
  readonly #owner: Owner
  readonly #startsAt: number
  offsetMs: number

  constructor(scheduler: Scheduler, owner: Owner, { startsAt, offsetMs }: { startsAt: number; offsetMs: number }) {
    this.#scheduler = scheduler
    this.#owner = owner
    this.#startsAt = startsAt
    this.offsetMs = offsetMs
  }

  now(): number {
    return this.#startsAt + this.#scheduler.now + this.offsetMs
  }
  monotonicMs(): number {
    return this.#scheduler.now
  }
  after(delayMs: number, work: () => void): () => void {
    return this.#scheduler.after(delayMs, work, this.#owner)
  }
  soon(work: () => void): void {
    this.#scheduler.after(0, work, this.#owner)
  }
}
