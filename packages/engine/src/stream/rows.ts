import { COMMA, Columns, Rows } from '../core/forms.ts'
import { ITEM, type Space } from '../core/space.ts'
import { byteOrderMarkEnd, type Mode, NEWLINE } from './mode.ts'

/**
 * Zero-based columns, empty for the whole row; or a function that derives them from the first file's header before any
 * row is judged, and may throw to end the work.
 */
export type KeyColumns = readonly number[] | ((header: readonly string[]) => readonly number[])

export interface RowStreamOptions {
  keyColumns: KeyColumns
  hasHeader: boolean
  caseSensitive: boolean
  /** The separator between cells: one byte other than a quote or a line break. A comma by default. */
  delimiter?: number
  /** Keep every row whose chosen cells are all empty. */
  keepEmpty?: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The rows of a CSV, as in specification 2.2. */
export class RowsMode extends Rows implements Mode {
  readonly headerKey?: () => Uint8Array
  readonly usualBreak: Uint8Array = NEWLINE
  readonly #space: Space
  /** Called once. */
  #keyColumns: KeyColumns

  constructor(space: Space, options: RowStreamOptions) {
    const { keyColumns, hasHeader, caseSensitive, delimiter = COMMA, keepEmpty = false } = options
    const columns = typeof keyColumns === 'function' ? [] : keyColumns
    super(space, { keyColumns: columns, caseSensitive, delimiter, keepEmpty })
    this.#space = space
    this.#keyColumns = keyColumns
    if (hasHeader) this.headerKey = () => this.#headerKey()
  }

  headEnd(from: number, to: number, complete: boolean): number {
    return byteOrderMarkEnd(this.#space.bytes, from, to, complete)
  }

  /** Headers are compared by their cells, however these are quoted. */
  #headerKey(): Uint8Array {
    const { kernel, words, keys } = this.#space
    const item = this.#space.item(0)
    const [start = 0, end = 0] = words.subarray(item + ITEM.start, item + ITEM.end + 1)
    if (typeof this.#keyColumns === 'function') {
      this.#keyColumns = this.#keyColumns(this.#cells(start, end))
      this.columns = new Columns(this.#space, this.#keyColumns)
    }
    const keyEnd = kernel.writeRow(start, end, this.delimiter, keys) >>> 0
    return this.#space.bytes.subarray(keys, keyEnd)
  }

  #cells(start: number, end: number): string[] {
    const { kernel } = this.#space
    const written = this.#space.allocate(ESCAPED_BYTES * (end - start) + 64)
    const scratch = this.#space.keys
    const cellsEnd = kernel.writeCells(start, end, this.delimiter, scratch, written) >>> 0
    const cells: unknown = JSON.parse(decoder.decode(this.#space.bytes.subarray(written, cellsEnd)))
    return Array.isArray(cells) ? cells.map(String) : []
  }
}

/** The most bytes that JSON needs to escape a byte; a cell also has two quotes and a comma. */
const ESCAPED_BYTES = 6
