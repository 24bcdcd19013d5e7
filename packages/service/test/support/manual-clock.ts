import type { Clock } from '../../src/store/clock.ts'

/** A clock that only moves when the test advances it. */
export class ManualClock implements Clock {
  #wallMs: number
  #monotonicMs = 0
  #timers: { readonly at: number; readonly work: () => void }[] = []

  constructor(wallMs = 0) {
    this.#wallMs = wallMs
  }

  now(): number {
    return this.#wallMs
  }
  monotonicMs(): number {
    return this.#monotonicMs
  }
  after(delayMs: number, work: () => void): () => void {
    const timer = { at: this.#monotonicMs + delayMs, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }
  /** How many timers are pending. */
  get planned(): number {
    return this.#timers.length
  }
  soon(work: () => void): void {
    setImmediate(work)
  }

  /** Advances both clocks and runs the timers that become due. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonicMs + ms
    for (;;) {
      await turns()
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#move(next.at - this.#monotonicMs)
      this.#timers = this.#timers.filter((other) => other !== next)
      next.work()
    }
    this.#move(end - this.#monotonicMs)
    await turns()
  }

  /** Sets the wall clock only. */
  jump(ms: number): void {
    this.#wallMs += ms
  }

  #move(ms: number): void {
    this.#wallMs += ms
    this.#monotonicMs += ms
  }
}

/** Lets everything run that does not wait for a timer. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve))
}
