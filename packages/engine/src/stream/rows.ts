import { COMMA, Columns, Rows } from '../core/forms.ts'
import { ITEM, type Space } from '../core/space.ts'
import { byteOrderMarkEnd, type Mode, NEWLINE } from './mode.ts'

/**
 * Zero-based columns, none for the whole row; or what tells them from the first file's header before any row is judged.
 * What it throws ends the work.
 */
export type KeyColumns = readonly number[] | ((header: readonly string[]) => readonly number[])

export interface RowStreamOptions {
  keyColumns: KeyColumns
  hasHeader: boolean
  caseSensitive: boolean
  /** What parts cells: one byte, no quote and no line break. A comma when absent. */
  delimiter?: number
  /** Rows of which every chosen cell is empty are all kept. */
  keepEmpty?: boolean
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The rows of a CSV as specification 2.2 has them. */
export class RowsMode extends Rows implements Mode {
  readonly headerKey?: () => Uint8Array
  readonly usualBreak: Uint8Array = NEWLINE
  readonly #space: Space
  /** Asked once. */
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

  /** By its cells, however they are quoted. */
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

/** A byte as JSON escapes it, at most; a cell has two quotes and a comma besides. */
const ESCAPED_BYTES = 6
