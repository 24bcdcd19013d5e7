import { SHARE_OF_FREE } from '../limits/share-of-free.ts'

/** The memory that all requests together may hold at any one time (`BODY_MEMORY_MB`). */
export class MemoryBudget {
  readonly limitBytes: number
  #heldBytes = 0
  readonly #heldBy = new Map<string, number>()

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Reserves bytes for a caller; false if there is not enough left, or not enough for this caller. */
  reserve(bytes: number, caller: string): boolean {
    const held = (this.#heldBy.get(caller) ?? 0) + bytes
    if (held > SHARE_OF_FREE * (this.limitBytes - this.#heldBytes - bytes)) return false
    this.#heldBytes += bytes
    this.#heldBy.set(caller, held)
    return true
  }

  release(bytes: number, caller: string): void {
    this.#heldBytes -= bytes
    const held = (this.#heldBy.get(caller) ?? 0) - bytes
    if (held > 0) this.#heldBy.set(caller, held)
    else this.#heldBy.delete(caller)
  }
}

/** A request's share of the budget; released when its work has ended and its answer has been sent. */
export class MemoryReservation {
  /** Who makes the request; to be set before it grows. */
  caller = ''
  readonly #budget: MemoryBudget
  #bytes = 0

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  /** Raises the share to this many bytes if it is less; returns false (unchanged) if there is not enough left. */
  grow(bytes: number): boolean {
    if (bytes <= this.#bytes) return true
    if (!this.#budget.reserve(bytes - this.#bytes, this.caller)) return false
    this.#bytes = bytes
    return true
  }

  release(): void {
    this.#budget.release(this.#bytes, this.caller)
    this.#bytes = 0
  }
}
