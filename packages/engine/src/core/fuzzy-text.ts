import type { Rows } from './forms.ts'
import { ITEM, type Space } from './space.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What fuzzy comparison starts from: of each row the chosen cells (all, without a choice) with a space between. */
export class FuzzyTexts {
  readonly texts: string[] = []
  readonly #space: Space
  readonly #form: Rows

  constructor(space: Space, form: Rows) {
    this.#space = space
    this.#form = form
  }

  /** Takes the row whose first word this is. Its text is written where keys are. */
  take(item: number): void {
    const { kernel, words, keys } = this.#space
    const { at, count, isWhole } = this.#form.columns
    const [start = 0, end = 0] = [words[item + ITEM.start], words[item + ITEM.end]]
    const textEnd = kernel.writeFuzzyText(start, end, at, count, isWhole, this.#form.delimiter, keys) >>> 0
    this.texts.push(decoder.decode(this.#space.bytes.subarray(keys, textEnd)))
  }
}
