import { lowerKeys } from './lower.ts'
import { writePath } from './path.ts'
import { type KeyRoom, NO_ROOM, type Space } from './space.ts'

/** How one kind of text is taken apart. Both functions speak of the items at the head of the space. */
export interface Form {
  readonly room: KeyRoom
  /**
   * Finds the items between `from` and `to`, `limit` at most, and returns how many. `complete`: the text ends at
   * `to`. An item that may go on is left for later.
   */
  split(limit: number, from: number, to: number, complete: boolean): number
  /** Sets what the first `count` items are compared by. */
  setKeys(count: number): void
}

export interface LineForm {
  readonly trim: boolean
  readonly ignoreCase: boolean
  readonly dropEmpty: boolean
  readonly nullSeparated: boolean
}

/** Lines of a text whose last line may end with a break or without one. */
export class Lines implements Form {
  readonly room: KeyRoom
  readonly #space: Space
  readonly #options: LineForm

  constructor(space: Space, options: LineForm) {
    this.#space = space
    this.#options = options
    this.room = options.ignoreCase ? { made: 0, lowered: 2 } : NO_ROOM
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    const { kernel, items } = this.#space
    return kernel.splitLines(items, limit, from, to, complete, this.#options.nullSeparated)
  }

  setKeys(count: number): void {
    const { trim, ignoreCase, dropEmpty } = this.#options
    this.#space.kernel.keyLines(this.#space.items, count, trim, dropEmpty)
    if (ignoreCase) lowerKeys(this.#space, count)
  }
}

export const COMMA = 0x2c

export interface RowForm {
  /** Zero-based; empty means the whole row. */
  readonly keyColumns: readonly number[]
  readonly caseSensitive: boolean
  /** One byte. */
  readonly delimiter: number
  /** Rows of which every chosen cell is empty are all kept. */
  readonly keepEmpty: boolean
}

/** A column that no row has, and no text could have. */
const NOWHERE = 0xffff_ffff

/** The columns that are compared, in the kernel's memory: 32 bits each, ascending, each once. */
export class Columns {
  readonly isWhole: boolean
  readonly at: number
  readonly count: number

  constructor(space: Space, keyColumns: readonly number[]) {
    const columns = [...new Set(keyColumns)].filter((column) => column < NOWHERE).sort((a, b) => a - b)
    this.isWhole = keyColumns.length === 0
    this.at = space.place(new Uint8Array(Uint32Array.from(columns).buffer))
    this.count = columns.length
  }
}

/** The rows of a CSV, a header among them. */
export class Rows implements Form {
  readonly room: KeyRoom
  readonly delimiter: number
  columns: Columns
  readonly #space: Space
  readonly #options: RowForm

  constructor(space: Space, options: RowForm) {
    this.#space = space
    this.#options = options
    this.delimiter = options.delimiter
    this.columns = new Columns(space, options.keyColumns)
    this.room = { made: 2, lowered: options.caseSensitive ? 0 : 4 }
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    return this.#space.kernel.splitRows(this.#space.items, limit, from, to, complete, this.delimiter, 0)
  }

  setKeys(count: number): void {
    const { kernel, items, keys } = this.#space
    const { keepEmpty, caseSensitive } = this.#options
    const { at, count: columnCount, isWhole } = this.columns
    kernel.keyRows(items, count, at, columnCount, isWhole, this.delimiter, keepEmpty, keys)
    // Lower-casing looks at the letters around a capital sigma. It sees none across a comma, a quote or a line break,
    // so that lower-casing cells written side by side is lower-casing each of them.
    if (!caseSensitive) lowerKeys(this.#space, count)
  }
}

export interface JsonForm {
  /** Dot path, empty for the whole item. */
  readonly key: string
  /** An array's items, or one value a line. */
  readonly layout: 'array' | 'lines'
  /** An item begins with the white space before its value. */
  readonly withSpace: boolean
}

/** A key's bytes to its value's, at most: `1e20` becomes a one and twenty zeros. */
const CANONICAL_GROWTH = 6

/** The items of an array, from behind its bracket, or values of which each ends its line. */
export class Items implements Form {
  readonly room: KeyRoom = { made: CANONICAL_GROWTH, lowered: 0 }
  layout: 'array' | 'lines'
  /** The last item ended in a comma. */
  afterComma = false
  readonly #space: Space
  readonly #hasPath: boolean
  readonly #withSpace: boolean
  readonly #path: { at: number; length: number }

  constructor(space: Space, { key, layout, withSpace }: JsonForm) {
    this.#space = space
    this.layout = layout
    this.#withSpace = withSpace
    this.#path = writePath(space, key)
    this.#hasPath = this.#path.length > 0
  }

  /** The keys are set at the same time. What ended it is in the kernel's `stopReason`. */
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
    // Set where the items are found.
  }
}
