/** Writes survivors. */
import { COMMA, copyLoosely, LINE_FEED, QUOTE, RETURN } from './bytes'
import { writeRow } from './csv'
import { itemAt, KEPT, UNUSUAL } from './item'
import { encodeString } from './strings'

/**
 * Copies the surviving items with their breaks to `out`; returns the number of bytes. If dropping items puts a `\r`
 * right before a `\n`, the `\r` becomes `\r\n`, so that two line breaks remain two.
 */
export function gather(items: usize, count: u32, out: usize): u32 {
  let to = out
  let from: usize = 0 // a run of neighbours yet to be copied: from … until
  let until: usize = 0
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    // An empty line may only be next to a `\r` here, where a spill has stored it after being trimmed.
    if (<usize>item.start != until || load<u8>(until) == LINE_FEED) {
      to = copyRun(from, until, to, out)
      from = item.start
    }
    until = item.end
    // A trimmed line is not adjacent to its line break.
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

/** Writes the surviving lines as JSON strings, each followed by a comma; returns the end. */
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

/** Copies the surviving lines, each followed by a line feed; returns the end. */
export function writePlainLines(items: usize, count: u32, to: usize): usize {
  return copySurvivors(items, count, LINE_FEED, to)
}

/** Writes the surviving rows, quoted only where necessary, each followed by a line feed; returns the end. */
export function writePlainRows(items: usize, count: u32, delimiter: u8, to: usize): usize {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != KEPT) continue
    to = writeRow(item.start, item.end, delimiter, to)
    store<u8>(to++, LINE_FEED)
  }
  return to
}

/** `\n` as it is escaped in a JSON string. */
const ESCAPED_FEED: u16 = 0x6e5c

/**
 * Writes the surviving rows as the content of a JSON string, each followed by a line break; returns the end. `scratch`:
 * room for a row.
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

/** Writes the surviving items unchanged, each followed by a comma; returns the end. */
export function writeItems(items: usize, count: u32, to: usize): usize {
  return copySurvivors(items, count, COMMA, to)
}

/** Copies the surviving items unchanged, each followed by `separator`; returns the end. */
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
