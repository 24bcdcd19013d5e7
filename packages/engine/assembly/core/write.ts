/** Survivors on their way out. */
import { COMMA, copyLoosely, LINE_FEED, QUOTE, RETURN } from './bytes'
import { itemAt, KEPT, UNUSUAL } from './item'
import { encodeString } from './strings'
import { writeRow } from './csv'

/**
 * Copies the items that survive, each with its break, to `out`; returns how many bytes.
 * Where what lay between is gone, a `\r` may come to stand before a `\n`: it becomes a `\r\n` of its own, so that
 * two line breaks stay two.
 */
export function gather(items: usize, count: u32, out: usize): u32 {
  let to = out
  let from: usize = 0 // a run of neighbours that is still to be copied: from … until
  let until: usize = 0
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
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

@inline
function copyRun(from: usize, until: usize, to: usize, out: usize): usize {
  const length = until - from
  if (length && to > out && load<u8>(to - 1) == RETURN && load<u8>(from) == LINE_FEED) store<u8>(to++, LINE_FEED)
  copyLoosely(to, from, length)
  return to + length
}

/** Writes the lines that survive as JSON strings, a comma behind each; returns the end. */
export function writeLines(items: usize, count: u32, to: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    store<u8>(to, QUOTE)
    to = encodeString(item.start, item.end, to + 1)
    store<u8>(to, QUOTE)
    store<u8>(to, COMMA, 1)
    to += 2
  }
  return to
}

/** Copies the lines that survive, a line feed behind each; returns the end. */
export function writePlainLines(items: usize, count: u32, to: usize): usize {
  return copySurvivors(items, count, LINE_FEED, to)
}

/** Writes the rows that survive, quoted only where they must be, a line feed behind each; returns the end. */
export function writePlainRows(items: usize, count: u32, delimiter: u8, to: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    to = writeRow(item.start, item.end, delimiter, to)
    store<u8>(to++, LINE_FEED)
  }
  return to
}

/** `\n` as a JSON string spells it. */
const ESCAPED_FEED: u16 = 0x6e5c

/**
 * Writes the rows that survive as the inside of a JSON string, a line break behind each; returns the end.
 * `scratch`: room for a row.
 */
export function writeRows(items: usize, count: u32, scratch: usize, to: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    if (item.flags & UNUSUAL) to = encodeString(scratch, writeRow(item.start, item.end, COMMA, scratch), to)
    else to = encodeString(item.start, item.end, to)
    store<u16>(to, ESCAPED_FEED)
    to += 2
  }
  return to
}

/** Writes the items that survive as they are, a comma behind each; returns the end. */
export function writeItems(items: usize, count: u32, to: usize): usize {
  return copySurvivors(items, count, COMMA, to)
}

/** Copies the items that survive as they stand, `separator` behind each; returns the end. */
function copySurvivors(items: usize, count: u32, separator: u8, to: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    const length = item.end - item.start
    copyLoosely(to, item.start, length)
    to += length
    store<u8>(to++, separator)
  }
  return to
}
