/** The memory that all requests together may hold at any one time (`BODY_MEMORY_MB`). */
export class MemoryBudget {
  readonly limitBytes: number
  #heldBytes = 0

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Reserves bytes; false if there is not enough left. */
  reserve(bytes: number): boolean {
    if (this.#heldBytes + bytes > this.limitBytes) return false
    this.#heldBytes += bytes
    return true
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes
  }
}

/** A request's share of the budget; released when its work has ended and its answer has been sent. */
export class MemoryReservation {
  readonly #budget: MemoryBudget
  #bytes = 0

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  /** Raises the share to this many bytes if it is less; returns false (unchanged) if there is not enough left. */
  grow(bytes: number): boolean {
    if (bytes <= this.#bytes) return true
    if (!this.#budget.reserve(bytes - this.#bytes)) return false
    this.#bytes = bytes
    return true
  }

  release(): void {
    this.#budget.release(this.#bytes)
    this.#bytes = 0
  }
}
