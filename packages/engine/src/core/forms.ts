import { lowerKeys } from './lower.ts'
import { writePath } from './path.ts'
import { type KeyRoom, NO_ROOM, type Space } from './space.ts'

/** How one kind of text is split into items. Both functions work on the items at the start of the space. */
export interface Form {
  readonly room: KeyRoom
  /**
   * Finds the items between `from` and `to`, at most `limit`, and returns their number. `complete`: the text ends at
   * `to`; otherwise an item that might continue is left for later.
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

/** The lines of a text; its last line may end with or without a break. */
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
  /** Keeps every row whose chosen cells are all empty. */
  readonly keepEmpty: boolean
}

/** An index beyond the columns of any possible text. */
const NOWHERE = 0xffff_ffff

/** The compared columns in the kernel's memory: 32 bits each, ascending, without repetition. */
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

/** The rows of a CSV, including a header. */
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
    // Lower-casing depends on the letters next to a capital sigma, but never looks across a comma, a quote or a line
    // break. So adjacent cells can be lower-cased together.
    if (!caseSensitive) lowerKeys(this.#space, count)
  }
}

export interface JsonForm {
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
export class Items implements Form {
  readonly room: KeyRoom = { made: CANONICAL_GROWTH, lowered: 0 }
  layout: 'array' | 'lines'
  /** Whether the last item ended with a comma. */
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
