import { COMMA, Columns } from './forms.ts'
import { ITEM, type Space } from './space.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What fuzzy comparison starts from, row by row: the chosen cells (all, without a choice) with a space between. */
export class FuzzyTexts {
  readonly texts: string[] = []
  readonly #space: Space
  readonly #columns: Columns
  readonly #delimiter: number

  constructor(space: Space, keyColumns: readonly number[], delimiter: number = COMMA) {
    this.#space = space
    this.#columns = new Columns(space, keyColumns)
    this.#delimiter = delimiter
  }

  /** Takes the first `count` rows of the space. Needs room for a made key. */
  take(count: number): number {
    const { kernel, words, bytes, keys } = this.#space
    const { at, count: columnCount, isWhole } = this.#columns
    for (let index = 0; index < count; index++) {
      const item = this.#space.item(index)
      const start = words[item + ITEM.start] ?? 0
      const end = words[item + ITEM.end] ?? 0
      const textEnd = kernel.writeFuzzyText(start, end, at, columnCount, isWhole, this.#delimiter, keys) >>> 0
      this.texts.push(decoder.decode(bytes.subarray(keys, textEnd)))
    }
    return count
  }
}
