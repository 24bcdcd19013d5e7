/**
 * Keys for fuzzy comparison: lower case, no punctuation, sorted words. Handles ASCII; other text is left to the host.
 */
import { isAsciiSpace, SPACE } from './bytes'

/** Texts with more words are left to the host. */
const MAX_WORDS: u32 = 64
const words: usize = memory.data(64 << 3)

/** ASCII punctuation by general category P, which excludes `$+<=>^`|~`: a bit per character. */
@inline
function isPunctuation(byte: u8): bool {
  const low: u64 = 0x8c00f7ee00000000 // !"#%&'()*,-./:;?
  const high: u64 = 0x28000000b8000001 // @[\]_{}
  return ((byte < 64 ? low >> byte : high >> (byte - 64)) & 1) != 0
}

/** Whether the text is pure ASCII and the list has room for all its words. */
function isSimple(at: usize, end: usize): bool {
  let spaces: u32 = 0
  for (; at < end; at += 16) {
    const block = v128.load(at)
    const inside: u32 = end - at >= 16 ? 0xffff : (1 << (<u32>(end - at))) - 1
    if (<u32>i8x16.bitmask(block) & inside) return false
    spaces += popcnt(<u32>i8x16.bitmask(i8x16.le_u(block, i8x16.splat(SPACE))) & inside)
  }
  return spaces < MAX_WORDS
}

/**
 * Writes the key of the text from `at` to `end` to `to` and returns its end; 0 if the text is not ASCII or has too many
 * words. Otherwise the text is overwritten.
 */
export function writeFuzzyKey(at: usize, end: usize, to: usize): usize {
  if (!isSimple(at, end)) return 0
  let count: u32 = 0
  let wordStart = at
  let out = at
  for (let from = at; from <= end; from++) {
    const byte: u8 = from < end ? load<u8>(from) : SPACE
    if (isAsciiSpace(byte)) {
      if (out > wordStart) sortIn(wordStart, <u32>(out - wordStart), count++)
      wordStart = out
    } else if (!isPunctuation(byte)) store<u8>(out++, byte - 0x41 < 26 ? byte | 0x20 : byte)
  }
  for (let word: u32 = 0; word < count; word++) {
    const entry = words + ((<usize>word) << 3)
    const length = load<u32>(entry, 4)
    if (word) store<u8>(to++, SPACE)
    memory.copy(to, load<u32>(entry), length)
    to += length
  }
  return to
}

/** Inserts a word among the first `count`, which are sorted. */
function sortIn(start: usize, length: u32, count: u32): void {
  let place = words + ((<usize>count) << 3)
  while (place > words && isLess(start, length, load<u32>(place - 8), load<u32>(place - 4))) {
    store<u64>(place, load<u64>(place - 8))
    place -= 8
  }
  store<u32>(place, <u32>start)
  store<u32>(place, length, 4)
}

function isLess(a: usize, aLength: u32, b: usize, bLength: u32): bool {
  const shared = min(aLength, bLength)
  for (let i: u32 = 0; i < shared; i++) {
    const difference = <i32>load<u8>(a + i) - <i32>load<u8>(b + i)
    if (difference) return difference < 0
  }
  return aLength < bLength
}
