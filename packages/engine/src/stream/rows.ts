import { writeRowKey } from './csv.ts'
import { writeLowerCase } from './lowercase.ts'
import { byteOrderMarkEnd, type Mode, NEWLINE } from './sifter.ts'
import { ITEM, type Workspace } from './workspace.ts'

export interface RowStreamOptions {
  /** Zero-based; empty means the whole row. */
  keyColumns: readonly number[]
  hasHeader: boolean
  caseSensitive: boolean
}

/** A row's key is at most so many times its bytes: quotes are doubled, and a letter may be longer in lower case. */
export const ROW_KEY_GROWTH = 3

/** The rows of a CSV as specification 2.2 has them. */
export class RowsMode implements Mode {
  readonly headerKey?: () => Uint8Array
  readonly usualBreak: Uint8Array = NEWLINE
  readonly #space: Workspace
  readonly #columns: readonly number[]
  readonly #caseSensitive: boolean

  constructor(space: Workspace, options: RowStreamOptions) {
    this.#space = space
    this.#columns = [...new Set(options.keyColumns)].sort((a, b) => a - b)
    this.#caseSensitive = options.caseSensitive
    if (options.hasHeader) this.headerKey = () => this.#headerKey()
  }

  headEnd(from: number, to: number, complete: boolean): number {
    return byteOrderMarkEnd(this.#space.bytes, from, to, complete)
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    return this.#space.kernel.splitRows(this.#space.items, limit, from, to, complete)
  }

  setKeys(count: number): number {
    const { words, bytes, keysEnd } = this.#space
    let out = this.#space.keys
    for (let i = 0; i < count; i++) {
      const item = this.#space.item(i)
      const start = words[item + ITEM.start] ?? 0
      const end = words[item + ITEM.end] ?? 0
      // A whole row without a quote is compared as it stands: its cells can't be written otherwise.
      const asItStands = this.#columns.length === 0 && words[item + ITEM.quoted] === 0
      if (asItStands && this.#caseSensitive) continue
      if (out + ROW_KEY_GROWTH * (end - start) + this.#columns.length > keysEnd) return i
      let keyEnd = asItStands ? 0 : writeRowKey(bytes, { start, end }, this.#columns, out)
      if (!this.#caseSensitive) {
        keyEnd = asItStands ? writeLowerCase(bytes, start, end, out) : writeLowerCase(bytes, out, keyEnd, out)
      }
      words[item + ITEM.keyStart] = out
      words[item + ITEM.keyEnd] = out = keyEnd
    }
    return count
  }

  #headerKey(): Uint8Array {
    const { words, bytes, keys } = this.#space
    const item = this.#space.item(0)
    const row = { start: words[item + ITEM.start] ?? 0, end: words[item + ITEM.end] ?? 0 }
    return bytes.subarray(keys, writeRowKey(bytes, row, [], keys))
  }
}
