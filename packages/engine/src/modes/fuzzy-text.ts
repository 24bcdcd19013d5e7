import { ITEM, type Space } from '../core/space.ts'
import { REPLACEMENT, wellFormedParts } from '../core/utf8.ts'
import { normalizeKey } from '../fuzzy/normalize.ts'
import type { Rows } from './rows.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const LOW_SURROGATE = 0xdc00
/** The three bytes of a lone surrogate, after `decodeDifferently`. */
const ENCODED_SURROGATE = /\udced([\udca0-\udcbf])([\udc80-\udcbf])/g
/** Between a text and its key, so that whole vectors can be read. */
const GAP_BYTES = 16

interface FuzzyTextOptions {
  /** Whether to normalise the texts. */
  readonly normalized: boolean
  /** Whether lone surrogates may occur, each encoded like a character of three bytes, as in a request. */
  readonly hasSurrogates: boolean
}

/**
 * The texts for fuzzy comparison: for each row its chosen cells (all of them if none are chosen), joined by a space;
 * or, with `normalized`, the normalised keys.
 */
export class FuzzyTexts {
  readonly texts: string[] = []
  readonly #space: Space
  readonly #splitter: Rows
  readonly #normalized: boolean
  readonly #hasSurrogates: boolean

  constructor(space: Space, splitter: Rows, { normalized, hasSurrogates }: FuzzyTextOptions) {
    this.#space = space
    this.#splitter = splitter
    this.#normalized = normalized
    this.#hasSurrogates = hasSurrogates
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
    const bytes = this.#space.bytes.subarray(from, to)
    const text = decoder.decode(bytes)
    if (!text.includes(REPLACEMENT)) return text
    const different = decodeDifferently(bytes)
    return this.#hasSurrogates ? different.replace(ENCODED_SURROGATE, surrogateOf) : different
  }
}

/** Decodes text so that no two bytes become equal: one that is not UTF-8 becomes a lone surrogate of its own. */
function decodeDifferently(bytes: Uint8Array): string {
  const parts = [...wellFormedParts(bytes)]
  return parts
    .map((part) => (typeof part === 'string' ? part : String.fromCharCode(LOW_SURROGATE | (part[0] ?? 0))))
    .join('')
}

function surrogateOf(_: string, second: string, third: string): string {
  return String.fromCharCode(0xd000 | ((second.charCodeAt(0) & 63) << 6) | (third.charCodeAt(0) & 63))
}
