import { joined } from '../core/bytes.ts'
import type { Space } from '../core/space.ts'
import { characterLength } from '../core/utf8.ts'

/** The source is not UTF-8. Replacing invalid bytes would make different entries equal. */
export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8'
  /** Position of the first invalid character, in bytes. */
  readonly at: number

  constructor(at: number) {
    super(`byte ${at} is not valid UTF-8`)
    this.at = at
  }
}

/** The longest UTF-8 character without its last byte. */
const LONGEST_REST_BYTES = 3

/** Validates a text that arrives in slices. */
export class Utf8Check {
  readonly #space: Space
  #room = 0
  #roomBytes = 0
  /** An incomplete character that may continue in the next slice. */
  #rest: Uint8Array = new Uint8Array()
  #restAt = 0

  constructor(space: Space) {
    this.#space = space
  }

  /** @throws NotUtf8 when the text is invalid so far */
  push(slice: Uint8Array): void {
    const text = joined(this.#rest, slice)
    const end = text.length - restBytes(text)
    this.#check(text.subarray(0, end))
    this.#rest = text.slice(end)
    this.#restAt += end
  }

  /** @throws NotUtf8 when the text ends within a character */
  end(): void {
    this.#check(this.#rest)
  }

  #check(text: Uint8Array): void {
    if (text.length > this.#roomBytes) {
      this.#room = this.#space.allocate(text.length)
      this.#roomBytes = text.length
    }
    this.#space.bytes.set(text, this.#room)
    if (this.#space.kernel.isUtf8(this.#room, this.#room + text.length)) return
    let at = 0
    for (let length = characterLength(text, at); length > 0; length = characterLength(text, at)) at += length
    throw new NotUtf8(this.#restAt + at)
  }
}

/** The last bytes, up to three, that may be the start of a longer character. */
function restBytes(text: Uint8Array): number {
  for (let bytes = 1; bytes <= Math.min(LONGEST_REST_BYTES, text.length); bytes++) {
    const byte = text[text.length - bytes] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return bytes < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes : 0
  }
  return 0
}
