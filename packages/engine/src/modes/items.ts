import { writePath } from '../core/path.ts'
import type { KeyRoom, Space } from '../core/space.ts'
import type { Splitter } from '../core/splitter.ts'
import type { Ends } from './ends.ts'

export interface ItemsOptions {
  /** Dot path; empty for the whole item. */
  readonly key: string
  /** The items of an array, or one value per line. */
  readonly layout: 'array' | 'lines'
  /** Whether an item includes the white space before its value. */
  readonly withSpace: boolean
}

/** The most that a value's bytes can grow in its key: `1e20` becomes a one and twenty zeros. */
const CANONICAL_GROWTH = 6

/** The items of an array, starting after its bracket, or values that each end their line. */
export class Items implements Splitter {
  readonly room: KeyRoom = { made: CANONICAL_GROWTH, lowered: 0 }
  layout: 'array' | 'lines'
  /** Whether the last item ended with a comma. */
  afterComma = false
  readonly #space: Space
  readonly #hasPath: boolean
  readonly #withSpace: boolean
  readonly #path: { at: number; length: number }

  constructor(space: Space, { key, layout, withSpace }: ItemsOptions) {
    this.#space = space
    this.layout = layout
    this.#withSpace = withSpace
    this.#path = writePath(space, key)
    this.#hasPath = this.#path.length > 0
  }

  /** Also sets the keys. The kernel's `stopReason` says why it stopped. */
  split(limit: number, from: number, to: number, complete: boolean): number {
    const { kernel, items, keys, stack } = this.#space
    const hasPath = this.#hasPath
    kernel.openScanner(stack, this.#path.at, this.#path.length)
    const withSpace = this.#withSpace
    if (this.layout === 'lines') {
      return kernel.splitValues(items, limit, from, to, complete, withSpace, hasPath, keys)
    }
    return kernel.splitArray(items, limit, from, to, complete, this.afterComma, withSpace, hasPath, keys)
  }

  setKeys(): void {
    // The keys were set when the items were found.
  }
}

/** Whole items that were found when the list was parsed. */
export class FoundItems extends Items {
  readonly #space: Space
  readonly #ends: Ends

  constructor(space: Space, options: ItemsOptions, ends: Ends) {
    super(space, options)
    this.#space = space
    this.#ends = ends
  }

  override split(limit: number, from: number): number {
    const { kernel, items, keys } = this.#space
    const { at, count } = this.#ends.take(limit)
    kernel.splitFoundItems(items, count, from, at, this.#ends.base, keys)
    return count
  }
}
