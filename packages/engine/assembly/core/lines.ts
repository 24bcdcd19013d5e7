/** Lines: where they end, how they are trimmed, and which are empty. */
import { isAsciiSpace, LINE_FEED, RETURN } from './bytes'
import { countKey, DISCARDED, itemAt, setItem } from './item'

@inline
export function breaksIn(block: v128): u32 {
  return i8x16.bitmask(v128.or(i8x16.eq(block, i8x16.splat(LINE_FEED)), i8x16.eq(block, i8x16.splat(RETURN))))
}

/** The address after the line break at `at`, or 0 if a `\r` is the last byte so far and a `\n` may follow. */
@inline
export function afterBreak(at: usize, to: usize, complete: bool): usize {
  if (load<u8>(at) != RETURN) return at + 1
  if (at + 1 == to) return complete ? to : 0
  return load<u8>(at, 1) == LINE_FEED ? at + 2 : at + 1
}

/**
 * Writes the lines between `from` and `to`, at most `limit`, to `items` and returns their number. Lines end at `\r\n`,
 * `\n` and `\r` or, if `nullSeparated`, at zero bytes. `complete`: nothing follows `to`, so text before it without a
 * line break is a line as well.
 */
export function splitLines(items: usize, limit: u32, from: usize, to: usize, complete: bool, nullSeparated: bool): u32 {
  let count: u32 = 0
  let start = from
  for (let at = from; at < to; at += 16) {
    const block = v128.load(at)
    let breaks = nullSeparated ? <u32>i8x16.bitmask(i8x16.eq(block, i8x16.splat(0))) : breaksIn(block)
    while (breaks) {
      const end = at + ctz(breaks)
      breaks &= breaks - 1
      if (end < start) continue // the \n of a \r\n
      if (end >= to) break
      const next: usize = count == limit ? 0 : afterBreak(end, to, complete)
      if (!next) return count
      setItem(itemAt(items, count++), start, end, next)
      start = next
    }
  }
  if (complete && start < to && count < limit) setItem(itemAt(items, count++), start, to, to)
  return count
}

/** The number of lines that `splitLines` would find in the whole text. */
export function countLines(from: usize, to: usize): u32 {
  let count: u32 = 0
  let wasReturn: u32 = 0
  for (let at = from; at < to; at += 16) {
    const block = v128.load(at)
    const left = to - at
    const inside: u32 = left >= 16 ? 0xffff : (1 << (<u32>left)) - 1
    const feeds = <u32>i8x16.bitmask(i8x16.eq(block, i8x16.splat(LINE_FEED))) & inside
    const returns = <u32>i8x16.bitmask(i8x16.eq(block, i8x16.splat(RETURN))) & inside
    count += popcnt(returns) + popcnt(feeds & ~((returns << 1) | wasReturn))
    wasReturn = (returns >> 15) & 1
  }
  const endsOpen = to > from && load<u8>(to - 1) != LINE_FEED && load<u8>(to - 1) != RETURN
  return count + u32(endsOpen)
}

/** Sets what the first `count` lines are compared by: their text, trimmed on request. */
export function keyLines(items: usize, count: u32, trim: bool, dropEmpty: bool): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (trim) {
      let start: usize = item.start
      let end: usize = item.end
      while (start < end) {
        const space = spaceAt(start, end)
        if (!space) break
        start += space
      }
      while (start < end) {
        const space = spaceBefore(start, end)
        if (!space) break
        end -= space
      }
      item.start = item.keyStart = <u32>start
      item.end = item.keyEnd = <u32>end
    }
    const isEmpty = item.start == item.end
    countKey(true, isEmpty)
    if (dropEmpty && isEmpty) {
      item.verdict = DISCARDED
      item.survivor = -1
    }
  }
}

/** The length of the white space at `at` (as ECMAScript's `trim()` defines it); 0 if there is none. */
@inline
function spaceAt(at: usize, end: usize): usize {
  const first = load<u8>(at)
  if (first < 0x80) return usize(isAsciiSpace(first))
  return wideSpaceAt(at, end)
}

/** U+00A0, and in three bytes U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000 and U+FEFF. */
function wideSpaceAt(at: usize, end: usize): usize {
  const first = load<u8>(at)
  if (first == 0xc2) return at + 1 < end && load<u8>(at, 1) == 0xa0 ? 2 : 0
  if (first < 0xe1 || at + 2 >= end) return 0
  const rest = ((<u32>load<u8>(at, 1)) << 8) | load<u8>(at, 2)
  switch (first) {
    case 0xe1:
      return rest == 0x9a80 ? 3 : 0
    case 0xe2:
      return (rest >= 0x8080 && rest <= 0x808a) || rest == 0x80a8 || rest == 0x80a9 || rest == 0x80af || rest == 0x819f
        ? 3
        : 0
    case 0xe3:
      return rest == 0x8080 ? 3 : 0
    case 0xef:
      return rest == 0xbbbf ? 3 : 0
    default:
      return 0
  }
}

@inline
function spaceBefore(start: usize, end: usize): usize {
  if (load<u8>(end - 1) < 0x80) return spaceAt(end - 1, end)
  if (end - start >= 2 && wideSpaceAt(end - 2, end) == 2) return 2
  return end - start >= 3 && wideSpaceAt(end - 3, end) == 3 ? 3 : 0
}

/** The number of line feeds between two addresses. */
export function countLineFeeds(from: usize, to: usize): u32 {
  let count: u32 = 0
  for (let at = from; at < to; at += 16) {
    const feeds = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LINE_FEED)))
    const left = to - at
    count += popcnt(left >= 16 ? feeds : feeds & ((1 << (<u32>left)) - 1))
  }
  return count
}
