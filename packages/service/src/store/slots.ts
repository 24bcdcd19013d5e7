import type { BurstLimit } from '@keepfirst/protocol'
import { Windows } from './burst.ts'

/** Refused calls of one key that are stored singly; what comes beyond is counted, so that it fills no disk. */
export const SINGLE_REFUSALS: BurstLimit = { requests: 100, windowSeconds: 3_600 }

/** What one instance remembers of its keys: burst windows, and how many refusals it stored singly. */
export class InstanceMemory {
  readonly bursts: Windows = new Windows()
  readonly refusals: Windows = new Windows()

  dropEnded(at: number): void {
    this.bursts.dropEnded(at)
    this.refusals.dropEnded(at)
  }
}

/** Slots that one transaction takes. Memory knows no rollback, so they are given back when it fails. */
export class Slots {
  readonly #memory: InstanceMemory
  readonly #taken: { readonly windows: Windows; readonly key: string }[] = []

  constructor(memory: InstanceMemory) {
    this.#memory = memory
  }

  /** Seconds until `key` may have a slot of its burst window: 0 when there is one. */
  secondsToWait(key: string, limit: BurstLimit, at: number): number {
    return this.#memory.bursts.secondsToWait(key, limit, at)
  }

  takeBurst(key: string, limit: BurstLimit, at: number): boolean {
    return this.#take(this.#memory.bursts, key, limit, at)
  }

  /** May one more refused call of `key` be stored singly? Takes the place if so. */
  takeRefusal(key: string, at: number): boolean {
    return this.#take(this.#memory.refusals, key, SINGLE_REFUSALS, at)
  }

  giveBack(): void {
    for (const { windows, key } of this.#taken.splice(0)) windows.giveBack(key)
  }

  #take(windows: Windows, key: string, limit: BurstLimit, at: number): boolean {
    const took = windows.take(key, limit, at)
    if (took) this.#taken.push({ windows, key })
    return took
  }
}
