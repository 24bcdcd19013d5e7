/** JSON values in sequence: the items of an array, or one value per line. */
import { COMMA, LINE_FEED } from './bytes'
import { writeCanonical } from './canonical'
import { countKey, endAt, Item, isUnusualAt, itemAt, noteEnd, setItem } from './item'
import {
  CLOSE_BRACKET,
  fail,
  faultAt,
  foundEnd,
  foundIsPlain,
  foundStart,
  isPlain,
  isSpace,
  readValue,
  skipSpace,
} from './scan'

// Why a split stopped, and where.
/** The requested number of items was reached. */
const FULL: u32 = 0
/** The bytes end before the item does. */
const INCOMPLETE: u32 = 1
/** At the array's closing bracket. */
const CLOSED: u32 = 2
/** At a byte that is not valid JSON there. */
const FAULT: u32 = 3
/** After an item, at something other than a comma or the closing bracket. */
const NO_COMMA: u32 = 4
/** At a second value on the same line. */
const SAME_LINE: u32 = 5

export let stoppedBy: u32 = FULL
export let stoppedAt: usize = 0

@inline
function stop(by: u32, at: usize, count: u32): u32 {
  stoppedBy = by
  stoppedAt = at
  return count
}

/** An error at the end of the bytes means that more input is needed. */
@inline
function stopAtFault(to: usize, complete: bool, count: u32): u32 {
  return stop(faultAt >= to && !complete ? INCOMPLETE : FAULT, faultAt, count)
}

/**
 * Writes at most `limit` items of an array to `items` and returns their number; `stoppedBy` tells why it stopped. The
 * text begins at `from`, after the bracket or a comma, and ends with a zero byte at `to`. Also sets the keys, writing
 * those that are not in canonical form to `keys`: at most six times the values' bytes. `afterComma`: an item must
 * follow. `withSpace`: an item includes the white space before its value.
 */
export function splitArray(
  items: usize,
  limit: u32,
  from: usize,
  to: usize,
  complete: bool,
  afterComma: bool,
  withSpace: bool,
  hasPath: bool,
  keys: usize,
): u32 {
  let at = from
  for (let count: u32 = 0; count < limit; count++) {
    const start = skipSpace(at)
    if (load<u8>(start) == CLOSE_BRACKET && !afterComma) return stop(CLOSED, start, count)
    const end = readValue(start)
    if (!end) return stopAtFault(to, complete, count)
    const valueIsPlain = isPlain
    const separator = skipSpace(end)
    const isLast = load<u8>(separator) == CLOSE_BRACKET
    if (!isLast && load<u8>(separator) != COMMA) {
      return stop(separator < to ? NO_COMMA : complete ? FAULT : INCOMPLETE, separator, count)
    }
    const item = itemAt(items, count)
    setItem(item, withSpace ? at : start, end, isLast ? end : separator + 1)
    keys = setKey(item, start, end, valueIsPlain, hasPath, keys)
    afterComma = !isLast
    at = isLast ? separator : separator + 1
  }
  return stop(FULL, at, limit)
}

/** Like `splitArray`, for values that are each followed only by white space on their line. */
export function splitValues(
  items: usize,
  limit: u32,
  from: usize,
  to: usize,
  complete: bool,
  withSpace: bool,
  hasPath: bool,
  keys: usize,
): u32 {
  let at = from
  for (let count: u32 = 0; count < limit; count++) {
    const start = skipSpace(at)
    if (start >= to) return stop(INCOMPLETE, start, count)
    const end = readValue(start)
    if (!end) return stopAtFault(to, complete, count)
    const valueIsPlain = isPlain
    let next = end
    while (next < to && isSpace(load<u8>(next)) && (next == end || load<u8>(next - 1) != LINE_FEED)) next++
    const isBroken = next > end && load<u8>(next - 1) == LINE_FEED
    if (!isBroken && next < to) return stop(SAME_LINE, next, count)
    if (!isBroken && !complete) return stop(INCOMPLETE, next, count)
    const item = itemAt(items, count)
    setItem(item, withSpace ? at : start, end, next)
    keys = setKey(item, start, end, valueIsPlain, hasPath, keys)
    at = next
  }
  return stop(FULL, at, limit)
}

/** Sets the item's key; returns where the next key may be written. */
function setKey(item: Item, start: usize, end: usize, valueIsPlain: bool, hasPath: bool, keys: usize): usize {
  const hasKey = !hasPath || foundStart != 0
  const keyStart = hasPath ? foundStart : start
  const keyEnd = hasPath ? (hasKey ? foundEnd : 0) : end
  if (hasPath ? foundIsPlain || !hasKey : valueIsPlain) {
    item.keyStart = <u32>(hasKey ? keyStart : keys)
    item.keyEnd = <u32>(hasKey ? keyEnd : keys)
  } else {
    item.keyStart = <u32>keys
    keys = writeCanonical(keyStart, keyEnd, keys)
    item.keyEnd = <u32>keys
    assert(item.keyEnd - item.keyStart <= 6 * <u32>(keyEnd - keyStart))
  }
  countKey(hasKey, !hasKey)
  return keys
}

/**
 * Writes `count` items of an array to `items`; they begin at `from` and their ends are at `ends`. Also sets their keys,
 * which are the whole items. `base`: the start of the array, which the ends are relative to.
 */
export function splitFoundItems(items: usize, count: u32, from: usize, ends: usize, base: usize, keys: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const start = skipSpace(from)
    const end = base + endAt(ends, i)
    const separator = skipSpace(end)
    from = load<u8>(separator) == COMMA ? separator + 1 : end
    const item = itemAt(items, i)
    setItem(item, start, end, from)
    keys = setKey(item, start, end, !isUnusualAt(ends, i), false, keys)
  }
}

/**
 * @returns the end of the array with its bracket at `at`, or 0; `arrayCount` gives the number of its items, whose ends
 * are written to `ends` unless that is 0
 */
export function readArray(at: usize, ends: usize): usize {
  const base = at
  arrayCount = stringCount = 0
  at = skipSpace(at + 1)
  if (load<u8>(at) == CLOSE_BRACKET) return at + 1
  while (true) {
    if (load<u8>(at) == 0x22) stringCount++
    at = readValue(at)
    if (!at) return 0
    if (ends) noteEnd(ends, arrayCount, at - base, u32(!isPlain))
    arrayCount++
    at = skipSpace(at)
    const byte = load<u8>(at++)
    if (byte == CLOSE_BRACKET) return at
    if (byte != COMMA) return fail(at - 1)
    at = skipSpace(at)
  }
}

export let arrayCount: u32 = 0
/** The number of strings among them. */
export let stringCount: u32 = 0
