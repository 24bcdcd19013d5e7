import { ITEM, type Space } from '../core/space.ts'
import { normalizeKey } from '../fuzzy/normalize.ts'
import type { Rows } from './rows.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** The first byte of every surrogate, and of U+D000 to U+D7FF. */
const SURROGATE = 0xed
/** Between a text and its key, so that whole vectors can be read. */
const GAP_BYTES = 16

/**
 * The texts for fuzzy comparison: for each row its chosen cells (all of them if none are chosen), joined by a space;
 * or, with `normalized`, the normalised keys.
 */
export class FuzzyTexts {
  readonly texts: string[] = []
  readonly #space: Space
  readonly #splitter: Rows
  readonly #normalized: boolean

  constructor(space: Space, splitter: Rows, { normalized }: { normalized: boolean }) {
    this.#space = space
    this.#splitter = splitter
    this.#normalized = normalized
  }

  /** Adds a row, given its first word in memory. Its text and key are written to the room for keys. */
  take(item: number): void {
    const { kernel, words, keys } = this.#space
    const { at, count, isWhole } = this.#splitter.columns
    const [start = 0, end = 0] = [words[item + ITEM.start], words[item + ITEM.end]]
    const textEnd = kernel.writeFuzzyText(start, end, at, count, isWhole, this.#splitter.delimiter, keys) >>> 0
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

/** Decodes text that may contain lone surrogates, each encoded like a character of three bytes. */
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
