import { byteOrderMarkEnd, COMMA, ESCAPED_BYTES, NOTHING } from '../core/bytes.ts'
import { lowerKeys } from '../core/lower.ts'
import { ITEM, type KeyRoom, type Space } from '../core/space.ts'
import { type FileSplitter, NEWLINE } from '../core/splitter.ts'
import { copyEnds, Ends } from './ends.ts'
import type { ModeRecord, Open, RequestData } from './mode.ts'
import { checkedColumns, GivenOptions } from './options.ts'

/** How rows are compared; `caseSensitive` has no effect with `fuzzy`, nor `threshold` without it. */
export interface RowsOptions {
  readonly keyColumns?: readonly number[]
  readonly hasHeader?: boolean
  readonly caseSensitive?: boolean
  readonly fuzzy?: boolean
  readonly threshold?: number
}

/**
 * Zero-based columns, empty for the whole row; or a function that derives them from the first file's header before any
 * row is judged, and may throw to end the work.
 */
export type KeyColumns = readonly number[] | ((header: readonly string[]) => readonly number[])

export interface RowStreamOptions {
  readonly keyColumns: KeyColumns
  readonly hasHeader: boolean
  readonly caseSensitive: boolean
  /** The separator between cells: one byte other than a quote or a line break. A comma by default. */
  readonly delimiter?: number
  /** Keep every row whose chosen cells are all empty. */
  readonly keepEmpty?: boolean
  /** Called with the first row of a later file if it is not the header, before it is judged; may throw to end the work. */
  checkFirstRow?(cells: readonly string[]): void
}

const QUOTE = Uint8Array.of(0x22)
/** An index beyond the columns of any possible text. */
const NOWHERE = 0xffff_ffff

/** The compared columns in the kernel's memory: 32 bits each, ascending, without repetition. */
class Columns {
  readonly isWhole: boolean
  readonly at: number
  readonly count: number

  /** @throws TypeError when they are not column numbers: taken for columns that no row has, all rows would be equal */
  constructor(space: Space, keyColumns: readonly number[]) {
    const columns = [...new Set(checkedColumns(keyColumns))].filter((column) => column < NOWHERE).sort((a, b) => a - b)
    this.isWhole = keyColumns.length === 0
    this.at = space.place(new Uint8Array(Uint32Array.from(columns).buffer))
    this.count = columns.length
  }
}

/** The rows of a CSV, as in specification 2.2. */
export class Rows implements FileSplitter {
  readonly room: KeyRoom
  readonly usualBreak: Uint8Array = NEWLINE
  readonly headerKey?: () => Uint8Array
  readonly notHeader?: () => void
  readonly delimiter: number
  columns: Columns
  readonly #space: Space
  readonly #caseSensitive: boolean
  readonly #keepEmpty: boolean
  /** Called once. */
  #keyColumns: KeyColumns

  constructor(space: Space, options: RowStreamOptions) {
    const { keyColumns, hasHeader, caseSensitive, delimiter = COMMA, keepEmpty = false, checkFirstRow } = options
    this.#space = space
    this.#caseSensitive = caseSensitive
    this.#keepEmpty = keepEmpty
    this.#keyColumns = keyColumns
    this.delimiter = delimiter
    this.columns = new Columns(space, typeof keyColumns === 'function' ? [] : keyColumns)
    this.room = { made: 2, lowered: caseSensitive ? 0 : 4 }
    if (hasHeader) this.headerKey = () => this.#headerKey()
    if (checkFirstRow) this.notHeader = () => checkFirstRow(this.#firstCells())
  }

  headEnd(from: number, to: number, complete: boolean): number {
    return byteOrderMarkEnd(this.#space.bytes, from, to, complete)
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    return this.#space.kernel.splitRows(this.#space.items, limit, from, to, complete, this.delimiter, 0)
  }

  setKeys(count: number): void {
    const { kernel, items, keys } = this.#space
    const { at, count: columnCount, isWhole } = this.columns
    kernel.keyRows(items, count, at, columnCount, isWhole, this.delimiter, this.#keepEmpty, keys)
    // Lower-casing depends on the letters next to a capital sigma, but never looks across a comma, a quote or a line
    // break. So adjacent cells can be lower-cased together.
    if (!this.#caseSensitive) lowerKeys(this.#space, count)
  }

  /** A quote that is still open would swallow the rows that follow. */
  closing(start: number, end: number): Uint8Array {
    return this.#space.kernel.endsInQuotes(start, end, this.delimiter) ? QUOTE : NOTHING
  }

  /** Headers are compared by their cells, however these are quoted. */
  #headerKey(): Uint8Array {
    const space = this.#space
    const { kernel, keys } = space
    if (typeof this.#keyColumns === 'function') {
      this.#keyColumns = this.#keyColumns(this.#firstCells())
      this.columns = new Columns(space, this.#keyColumns)
    }
    const { start, end } = this.#first()
    const keyEnd = kernel.writeRow(start, end, this.delimiter, keys) >>> 0
    return space.bytes.subarray(keys, keyEnd)
  }

  #firstCells(): string[] {
    return readCells(this.#space, { ...this.#first(), delimiter: this.delimiter, scratch: this.#space.keys })
  }

  /** Where the row is that is the first item in the space. */
  #first(): { start: number; end: number } {
    const { words } = this.#space
    const item = this.#space.item(0)
    const [start = 0, end = 0] = words.subarray(item + ITEM.start, item + ITEM.end + 1)
    return { start, end }
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

interface RowPlace {
  readonly start: number
  readonly end: number
  readonly delimiter: number
  /** Where as many bytes as the row has may be written. */
  readonly scratch: number
}

/** The cells of a row in the space. */
export function readCells(space: Space, { start, end, delimiter, scratch }: RowPlace): string[] {
  const written = space.allocate(ESCAPED_BYTES * (end - start) + 64)
  const cellsEnd = space.kernel.writeCells(start, end, delimiter, scratch, written) >>> 0
  const cells: unknown = JSON.parse(decoder.decode(space.bytes.subarray(written, cellsEnd)))
  return Array.isArray(cells) ? cells.map(String) : []
}

/** Rows that were found when the list was parsed. */
class FoundRows extends Rows {
  readonly #space: Space
  readonly #ends: Ends

  constructor(space: Space, options: RowStreamOptions, ends: Ends) {
    super(space, options)
    this.#space = space
    this.#ends = ends
  }

  override split(limit: number, from: number, to: number): number {
    const { at, count } = this.#ends.take(limit)
    this.#space.kernel.splitFoundRows(this.#space.items, count, from, to, at, this.#ends.base)
    return count
  }
}

export const ROWS: ModeRecord<'rows', Required<RowsOptions>> = {
  ask(given) {
    const options = new GivenOptions(given)
    return {
      mode: 'rows',
      options: {
        keyColumns: options.keyColumns(),
        hasHeader: options.boolean('hasHeader', true),
        caseSensitive: options.boolean('caseSensitive', true),
        fuzzy: options.boolean('fuzzy', false),
        threshold: options.threshold(0.9),
      },
    }
  },
  readString: (space, { bytes, at }) => findRows(space, at, bytes),
  place(space, { bytes, ends }, options) {
    const placed = space.place(bytes)
    const to = placed + bytes.length
    const from = byteOrderMarkEnd(space.bytes, placed, to, true)
    // Fuzzy rows are read twice.
    const isFound = ends && !options.fuzzy
    const scratch = space.allocate(2 * bytes.length + 64)
    return {
      splitter: isFound ? new FoundRows(space, options, new Ends(space, from, ends)) : new Rows(space, options),
      placed,
      from,
      to,
      writing: {
        opening: '"',
        separator: '\\n',
        closing: '"',
        write: (rows, at) => space.kernel.writeRows(space.items, rows, scratch, at),
      },
      mostBytes: ESCAPED_BYTES * bytes.length + 64,
    }
  },
}

export const openRows: Open<Required<RowsOptions>> = (space, options, { delimiter, onHeader }) => {
  const keyColumns = (header: readonly string[]): readonly number[] => {
    onHeader(header)
    return options.keyColumns
  }
  return {
    splitter: new Rows(space, {
      ...options,
      delimiter,
      keyColumns: options.hasHeader ? keyColumns : options.keyColumns,
    }),
    writing: {
      opening: '',
      separator: '\n',
      closing: '',
      write: (rows, at) => space.kernel.writePlainRows(space.items, rows, delimiter, at),
    },
  }
}

/** The rows of a CSV. Takes ownership of the bytes. */
export function readRows(space: Space, bytes: Uint8Array<ArrayBuffer>): RequestData {
  return findRows(space, space.place(bytes), bytes)
}

const EVERY_ROW = 0xffff_ffff

/** Finds the rows of a text, which is in the space as well. */
function findRows(space: Space, from: number, bytes: Uint8Array<ArrayBuffer>): RequestData {
  const to = from + bytes.length
  const ends = space.allocate(Uint32Array.BYTES_PER_ELEMENT * bytes.length)
  const first = byteOrderMarkEnd(space.bytes, from, to, true)
  const count = space.kernel.splitRows(0, EVERY_ROW, first, to, true, COMMA, ends) >>> 0
  return { count, bytes, ends: copyEnds(space, ends, count, bytes) }
}
