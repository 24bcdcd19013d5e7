import { normalizeKey } from '../fuzzy/normalize.ts'
import type { Rows } from './forms.ts'
import { ITEM, type Space } from './space.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** The first byte of every surrogate, and of U+D000 to U+D7FF. */
const SURROGATE = 0xed
/** Between a text and its key, for whole vectors. */
const GAP_BYTES = 16

/**
 * What fuzzy comparison starts from: of each row the chosen cells (all, without a choice) with a space between; or, with
 * `normalized`, the key that it comes to.
 */
export class FuzzyTexts {
  readonly texts: string[] = []
  readonly #space: Space
  readonly #form: Rows
  readonly #normalized: boolean

  constructor(space: Space, form: Rows, { normalized }: { normalized: boolean }) {
    this.#space = space
    this.#form = form
    this.#normalized = normalized
  }

  /** Takes the row whose first word this is. Its text and key are written where keys are. */
  take(item: number): void {
    const { kernel, words, keys } = this.#space
    const { at, count, isWhole } = this.#form.columns
    const [start = 0, end = 0] = [words[item + ITEM.start], words[item + ITEM.end]]
    const textEnd = kernel.writeFuzzyText(start, end, at, count, isWhole, this.#form.delimiter, keys) >>> 0
    this.texts.push(this.#normalized ? this.#key(textEnd) : this.#decode(keys, textEnd))
  }

  #key(textEnd: number): string {
    const { kernel, keys } = this.#space
    const at = textEnd + GAP_BYTES
    const end = kernel.writeFuzzyKey(keys, textEnd, at) >>> 0
    return end === 0 ? normalizeKey(this.#decode(keys, textEnd)) : this.#decode(at, end)
  }

  #decode(from: number, to: number): string {
    return decode(this.#space.bytes.subarray(from, to))
  }
}

/** Text that may hold lone surrogates, each written as if it were a character of three bytes. */
function decode(bytes: Uint8Array): string {
  let text = ''
  let from = 0
  for (let at = bytes.indexOf(SURROGATE); at >= 0; at = bytes.indexOf(SURROGATE, at + 1)) {
    const [second = 0, third = 0] = bytes.subarray(at + 1, at + 3)
    if (second < 0xa0) continue
    text += decoder.decode(bytes.subarray(from, at)) + String.fromCharCode(0xd000 | ((second & 63) << 6) | (third & 63))
    from = at + 3
  }
  return text + decoder.decode(bytes.subarray(from))
}
