/**
 * What the stream does for every byte: find the ends of items, hash their keys, gather the survivors.
 * The caller owns the memory and hands in addresses; up to 15 bytes beyond a text are read, never used.
 */
import { hashKey, SEED_BYTES } from './hash'
import { Item, itemAt, setItem } from './item'

const NEWLINE: u8 = 0x0a
const RETURN: u8 = 0x0d
const QUOTE: u8 = 0x22
const COMMA: u8 = 0x2c

export function seedBytes(): u32 {
  return SEED_BYTES
}
export function itemBytes(): u32 {
  return offsetof<Item>()
}

// @ts-ignore: decorator
@inline
function breaksIn(block: v128): u32 {
  return i8x16.bitmask(v128.or(i8x16.eq(block, i8x16.splat(NEWLINE)), i8x16.eq(block, i8x16.splat(RETURN))))
}

// @ts-ignore: decorator
@inline
function quotesIn(block: v128): u32 {
  return i8x16.bitmask(i8x16.eq(block, i8x16.splat(QUOTE)))
}

/** Just behind the line break at `at`, or 0 when a `\r` is the last byte that came and a `\n` may follow. */
// @ts-ignore: decorator
@inline
function behindBreak(at: usize, to: usize, complete: bool): usize {
  if (load<u8>(at) == NEWLINE) return at + 1
  if (at + 1 == to) return complete ? to : 0
  return load<u8>(at, 1) == NEWLINE ? at + 2 : at + 1
}

/**
 * Writes the lines between `from` and `to` to `items`, `limit` at most, and returns how many.
 * `complete`: nothing follows `to`, so that what stands there without a line break is a line as well.
 */
export function splitLines(items: usize, limit: u32, from: usize, to: usize, complete: bool): u32 {
  let count: u32 = 0
  let start = from
  for (let at = from; at < to; at += 16) {
    let breaks = breaksIn(v128.load(at))
    while (breaks) {
      const end = at + ctz(breaks)
      breaks &= breaks - 1
      if (end < start) continue // the \n of a \r\n
      if (end >= to) break
      const next: usize = count == limit ? 0 : behindBreak(end, to, complete)
      if (!next) return count
      setItem(itemAt(items, count++), start, end, next)
      start = next
    }
  }
  if (complete && start < to && count < limit) setItem(itemAt(items, count++), start, to, to)
  return count
}

/**
 * As `splitLines`, for the rows of a CSV: a line break inside a quoted cell breaks nothing.
 * A cell is quoted when it begins with a quote; behind its closing quote it is text like any other, up to
 * the next comma or row break. A quote that begins no cell is a literal quote.
 */
export function splitRows(items: usize, limit: u32, from: usize, to: usize, complete: bool): u32 {
  let count: u32 = 0
  let start = from
  let seen = from
  let inside = false
  let quoted: u32 = 0
  for (let at = from; at < to; at += 16) {
    const block = v128.load(at)
    const quotes = quotesIn(block)
    let stops = breaksIn(block) | quotes
    while (stops) {
      const bit = ctz(stops)
      const stop = at + bit
      stops &= stops - 1
      if (stop < seen) continue // the second half of "" or \r\n
      if (stop >= to) break
      if ((quotes >> bit) & 1) {
        quoted = 1
        if (!inside) inside = stop == start || load<u8>(stop - 1) == COMMA
        else if (stop + 1 < to && load<u8>(stop, 1) == QUOTE) seen = stop + 2
        else inside = false
      } else if (!inside) {
        const next: usize = count == limit ? 0 : behindBreak(stop, to, complete)
        if (!next) return count
        const item = itemAt(items, count++)
        setItem(item, start, stop, next)
        item.quoted = quoted
        start = seen = next
        quoted = 0
      }
    }
  }
  if (complete && start < to && count < limit) {
    const item = itemAt(items, count++)
    setItem(item, start, to, to)
    item.quoted = quoted
  }
  return count
}

/** Hashes the keys of the first `count` items. */
export function hashKeys(items: usize, count: u32, seed: usize, blocks: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    hashKey(item.keyStart, item.keyEnd - item.keyStart, seed, blocks, changetype<usize>(item) + offsetof<Item>('hash0'))
  }
}

/**
 * Copies the items that survive, each with its line break, to `out`; returns how many bytes.
 * Where what lay between is gone, a `\r` may come to stand before a `\n`: it becomes a `\r\n` of its own, so that
 * two line breaks stay two.
 */
export function gather(items: usize, count: u32, out: usize): u32 {
  let to = out
  let from: usize = 0 // a run of neighbours that is still to be copied: from … until
  let until: usize = 0
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (!item.kept) continue
    if (<usize>item.start != until) {
      to = copyRun(from, until, to, out)
      from = item.start
    }
    until = item.end
    // A trimmed line stands apart from its line break.
    if (<usize>item.lineBreak != until) {
      to = copyRun(from, until, to, out)
      from = item.lineBreak
    }
    until = item.next
  }
  return <u32>(copyRun(from, until, to, out) - out)
}

// @ts-ignore: decorator
@inline
function copyRun(from: usize, until: usize, to: usize, out: usize): usize {
  const length = until - from
  if (length && to > out && load<u8>(to - 1) == RETURN && load<u8>(from) == NEWLINE) store<u8>(to++, NEWLINE)
  if (length > 64) memory.copy(to, from, length)
  else for (let done: usize = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done))
  return to + length
}
