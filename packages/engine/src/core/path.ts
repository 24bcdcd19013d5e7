import type { Space } from './space.ts'
import { escapeLoneSurrogates } from './surrogates.ts'

const NO_ELEMENT = 0xffff_ffff
const SEGMENT_WORDS = 4
const [DOT, ZERO] = [0x2e, 0x30]
const encoder = new TextEncoder()

/**
 * Splits a dot path (specification 2.2, `key`) and writes its segments where the kernel reads them. The empty path
 * means the whole item and has no segments.
 * @throws NoMemory when the path does not fit
 */
export function writePath(space: Space, path: string): { at: number; length: number } {
  if (path === '') return { at: 0, length: 0 }
  // In one pass over the whole path, because a caller may send millions of segments.
  const encoded = encoder.encode(canonicalNames(path))
  const length = encoded.reduce((dots, byte) => (byte === DOT ? dots + 1 : dots), 1)
  const at = space.allocate(length * SEGMENT_WORDS * 4)
  const text = space.allocate(encoded.length)
  const { bytes, words } = space
  bytes.set(encoded, text)
  let start = 0
  for (let word = at / 4; start <= encoded.length; word += SEGMENT_WORDS) {
    const dot = encoded.indexOf(DOT, start)
    const end = dot === -1 ? encoded.length : dot
    words[word] = text + start
    words[word + 1] = end - start
    words[word + 2] = elementNamed(encoded, start, end)
    words[word + 3] = 0
    start = end + 1
  }
  return { at, length }
}

/** Only quotes, backslashes and lone surrogates are escaped: see the kernel's canonical strings. */
function canonicalNames(path: string): string {
  return escapeLoneSurrogates(path.replace(/["\\]/g, '\\$&'))
}

/** The array index that a segment denotes: at most nine decimal digits without leading zeros. */
function elementNamed(encoded: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length === 0 || length > 9 || (encoded[start] === ZERO && length > 1)) return NO_ELEMENT
  let index = 0
  for (let at = start; at < end; at++) {
    const digit = (encoded[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return NO_ELEMENT
    index = 10 * index + digit
  }
  return index
}
