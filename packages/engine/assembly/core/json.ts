/** JSON values in a row: an array's items, or one value a line. */
import { COMMA, LINE_FEED } from './bytes'
import { writeCanonical } from './canonical'
import { countKey, endAt, isUnusualAt, Item, itemAt, noteEnd, setItem } from './item'
import {
  CLOSE_BRACKET, faultAt, foundEnd, foundIsPlain, foundStart, isPlain, isSpace, readValue, skipSpace, failAt,
} from './scan'

// What ended a split, and where.
/** As many items as were asked for. */
const FULL: u32 = 0
/** The bytes end before the item does. */
const INCOMPLETE: u32 = 1
/** The array's closing bracket stands there. */
const CLOSED: u32 = 2
/** No JSON goes on there. */
const FAULT: u32 = 3
/** An item has ended, and there stands neither a comma nor the closing bracket. */
const NO_COMMA: u32 = 4
/** A second value begins on the same line. */
const SAME_LINE: u32 = 5

export let stoppedBy: u32 = FULL
export let stoppedAt: usize = 0

@inline
function stop(by: u32, at: usize, count: u32): u32 {
  stoppedBy = by
  stoppedAt = at
  return count
}

/** A fault at the end of the bytes says that more must come. */
@inline
function stopAtFault(to: usize, complete: bool, count: u32): u32 {
  return stop(faultAt >= to && !complete ? INCOMPLETE : FAULT, faultAt, count)
}

/**
 * Writes the items of an array between `from`, behind its bracket or a comma, and `to`, where a byte 0 stands, to
 * `items`, `limit` at most, and returns how many; what ended them is in `stoppedBy`. Their keys are set, those that are
 * not their own canonical form in `keys`, six times the values' bytes at most.
 * `afterComma`: an item must follow. `withSpace`: an item begins with the white space before its value.
 */
export function splitArray(
  items: usize, limit: u32, from: usize, to: usize, complete: bool, afterComma: bool, withSpace: bool,
  hasPath: bool, keys: usize,
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

/** As `splitArray`, for values of which each ends its line; only white space may follow on it. */
export function splitValues(
  items: usize, limit: u32, from: usize, to: usize, complete: bool, withSpace: bool, hasPath: bool, keys: usize,
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

/** Sets what the item is compared by; returns where the next key may stand. */
function setKey(item: Item, start: usize, end: usize, valueIsPlain: bool, hasPath: bool, keys: usize): usize {
  const isThere = !hasPath || foundStart != 0
  const keyStart = hasPath ? foundStart : start
  const keyEnd = hasPath ? (isThere ? foundEnd : 0) : end
  if (hasPath ? foundIsPlain || !isThere : valueIsPlain) {
    item.keyStart = <u32>(isThere ? keyStart : keys)
    item.keyEnd = <u32>(isThere ? keyEnd : keys)
  } else {
    item.keyStart = <u32>keys
    keys = writeCanonical(keyStart, keyEnd, keys)
    item.keyEnd = <u32>keys
    assert(item.keyEnd - item.keyStart <= 6 * <u32>(keyEnd - keyStart))
  }
  countKey(isThere, !isThere)
  return keys
}

/**
 * Writes the items of an array to `items` that begin at `from` and whose ends stand at `ends`, `count` of them, and sets
 * their keys, which are the whole items. `base`: where the array begins from which ends are counted.
 */
export function splitFoundItems(
  items: usize, count: u32, from: usize, ends: usize, base: usize, keys: usize,
): void {
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
 * @returns where the array ends whose bracket stands at `at`, or 0; `arrayCount` says how many items it has. The end of
 * each one is noted at `ends`, unless that is 0.
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
    if (byte != COMMA) return failAt(at - 1)
    at = skipSpace(at)
  }
}

export let arrayCount: u32 = 0
/** How many of them are strings. */
export let stringCount: u32 = 0
