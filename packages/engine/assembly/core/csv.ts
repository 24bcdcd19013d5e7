/*
 * CSV as found in practice (specification 2.2, rows): nothing is an error and nothing is lost.
 *
 *   row  = cell *( delimiter cell )    ends at CR LF, LF, CR or the end of the text
 *   cell = [ quoted ] bare             quoted: from a quote up to the quote that closes it
 *
 * A cell whose unquoted part is empty is a quoted cell, and its value is the text between the quotes. In all other
 * cells, quotes are ordinary text.
 */
import { COMMA, copyLoosely, LINE_FEED, QUOTE, RETURN } from './bytes'
import { countKey, endAt, isUnusualAt, itemAt, KEPT, noteEnd, setItem, UNUSUAL } from './item'
import { afterBreak, breaksIn } from './lines'
import { encodeString } from './strings'

@inline
function quotesIn(block: v128): u32 {
  return i8x16.bitmask(i8x16.eq(block, i8x16.splat(QUOTE)))
}

/**
 * Like `splitLines`, for rows: a line break inside a quoted cell does not end a row. If `items` is 0, only the ends of
 * the rows are written, to `ends` (see `splitFoundRows`), 32 bits per row.
 */
export function splitRows(
  items: usize,
  limit: u32,
  from: usize,
  to: usize,
  complete: bool,
  delimiter: u8,
  ends: usize,
): u32 {
  let count: u32 = 0
  let start = from
  let seen = from
  // The start of the quoted cell that contains `stop`; 0 if there is none.
  let opened: usize = 0
  let flags: u32 = 0
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
        if (opened) {
          if (stop + 1 < to && load<u8>(stop, 1) == QUOTE) seen = stop + 2
          else {
            if (!isUsual(opened, stop, to, delimiter)) flags = UNUSUAL
            opened = 0
          }
        } else if (stop == start || load<u8>(stop - 1) == delimiter) opened = stop
        else flags = UNUSUAL
      } else if (!opened) {
        const next: usize = count == limit ? 0 : afterBreak(stop, to, complete)
        if (!next) return count
        if (items) setRow(items, count, start, stop, next, flags)
        else noteEnd(ends, count, stop - from, flags)
        count++
        start = seen = next
        flags = 0
      }
    }
  }
  if (complete && start < to && count < limit) {
    if (opened) flags = UNUSUAL
    if (items) setRow(items, count, start, to, to, flags)
    else noteEnd(ends, count, to - from, flags)
    count++
  }
  return count
}

@inline
function setRow(items: usize, index: u32, start: usize, end: usize, next: usize, flags: u32): void {
  const item = itemAt(items, index)
  setItem(item, start, end, next)
  item.flags = flags
}

/**
 * Writes `count` rows to `items`; they begin at `from` and their ends are at `ends`. `base`: the address that the ends
 * are relative to. The text ends at `to`.
 */
export function splitFoundRows(items: usize, count: u32, from: usize, to: usize, ends: usize, base: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const end = base + endAt(ends, i)
    const next = end < to ? afterBreak(end, to, true) : to
    setRow(items, i, from, end, next, isUnusualAt(ends, i))
    from = next
  }
}

/** Whether the cell with quotes at `opened` and `closed` would be written unchanged. */
@inline
function isUsual(opened: usize, closed: usize, to: usize, delimiter: u8): bool {
  if (!needsQuotes(opened + 1, closed)) return false
  const afterQuote = closed + 1
  if (afterQuote == to) return true
  const byte = load<u8>(afterQuote)
  return byte == delimiter || byte == LINE_FEED || byte == RETURN
}

// The cell last read by `readCell`: its text, including quotes, ends at `cellEnd`; its value spans `valueStart` to
// `valueEnd`, with quotes still doubled if it is a quoted cell.
let cellEnd: usize = 0
let valueStart: usize = 0
let valueEnd: usize = 0
let isQuoted: bool = false

/** Reads the cell at `at`. */
function readCell(at: usize, rowEnd: usize, delimiter: u8): void {
  isQuoted = false
  valueStart = at
  if (at < rowEnd && load<u8>(at) == QUOTE) {
    const closing = closingQuote(at + 1, rowEnd)
    const afterQuote = min(closing + 1, rowEnd)
    cellEnd = delimiterFrom(afterQuote, rowEnd, delimiter)
    isQuoted = cellEnd == afterQuote
    if (isQuoted) {
      valueStart = at + 1
      valueEnd = closing
      return
    }
  } else cellEnd = delimiterFrom(at, rowEnd, delimiter)
  valueEnd = cellEnd
}

/** The closing quote of the quoted cell whose content begins at `at`; the row's end if there is none. */
function closingQuote(at: usize, rowEnd: usize): usize {
  for (; at < rowEnd; at += 16) {
    let quotes = quotesIn(v128.load(at))
    while (quotes) {
      const quote = at + ctz(quotes)
      quotes &= quotes - 1
      if (quote >= rowEnd) return rowEnd
      if (quote + 1 >= rowEnd || load<u8>(quote, 1) != QUOTE) return quote
      if (quotes & (1 << (<u32>(quote + 1 - at)))) quotes &= quotes - 1
      else at = quote + 2 - 16 // the second quote is the first byte of the next block: continue after it
    }
  }
  return rowEnd
}

function delimiterFrom(at: usize, rowEnd: usize, delimiter: u8): usize {
  for (; at < rowEnd; at += 16) {
    const delimiters = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(delimiter)))
    if (delimiters) return min(at + ctz(delimiters), rowEnd)
  }
  return rowEnd
}

/** Whether a cell with this value has to be quoted. */
function needsQuotes(at: usize, end: usize): bool {
  for (; at < end; at += 16) {
    const block = v128.load(at)
    const commas = i8x16.bitmask(i8x16.eq(block, i8x16.splat(COMMA)))
    const special = commas | quotesIn(block) | breaksIn(block)
    if (special) return at + ctz(special) < end
  }
  return false
}

/** Writes the cell that was read, quoted only if necessary. */
function writeCell(to: usize): usize {
  const quoted = needsQuotes(valueStart, valueEnd)
  if (!quoted) {
    copyLoosely(to, valueStart, valueEnd - valueStart)
    return to + (valueEnd - valueStart)
  }
  store<u8>(to++, QUOTE)
  if (isQuoted) {
    copyLoosely(to, valueStart, valueEnd - valueStart)
    to += valueEnd - valueStart
  } else {
    for (let at = valueStart; at < valueEnd; at++) {
      const byte = load<u8>(at)
      store<u8>(to++, byte)
      if (byte == QUOTE) store<u8>(to++, QUOTE)
    }
  }
  store<u8>(to++, QUOTE)
  return to
}

/** Writes all cells of a row, each quoted only if necessary, separated by commas. */
export function writeRow(at: usize, rowEnd: usize, delimiter: u8, to: usize): usize {
  while (true) {
    readCell(at, rowEnd, delimiter)
    to = writeCell(to)
    if (cellEnd >= rowEnd) return to
    store<u8>(to++, COMMA)
    at = cellEnd + 1
  }
}

/** Whether the row's last cell is in quotes that are not closed. */
export function endsInQuotes(at: usize, rowEnd: usize, delimiter: u8): bool {
  readCell(at, rowEnd, delimiter)
  while (cellEnd < rowEnd) readCell(cellEnd + 1, rowEnd, delimiter)
  return isQuoted && valueEnd == rowEnd
}

let hasColumn: bool = false

/**
 * Writes the chosen cells of a row, in ascending order, like `writeRow`, up to the last non-empty one, since a missing
 * cell counts as empty. Takes time proportional to the row's length, however many columns are given.
 */
function writeColumns(at: usize, rowEnd: usize, columns: usize, columnCount: u32, delimiter: u8, to: usize): usize {
  let filled = to
  let chosen: u32 = 0
  hasColumn = false
  for (let column: u32 = 0; chosen < columnCount; column++) {
    readCell(at, rowEnd, delimiter)
    if (column == load<u32>(columns + ((<usize>chosen) << 2))) {
      hasColumn = true
      if (chosen++) store<u8>(to++, COMMA)
      const end = writeCell(to)
      if (end > to) filled = end
      to = end
    }
    if (cellEnd >= rowEnd) break
    at = cellEnd + 1
  }
  return filled
}

/**
 * Sets what the first `count` rows are compared by, writing it to `keys` if it differs from the row's text: at most
 * twice the rows' bytes. `columns`: ascending, none for the whole row; `isWhole` distinguishes that from columns that
 * no row can have.
 */
export function keyRows(
  items: usize,
  count: u32,
  columns: usize,
  columnCount: u32,
  isWhole: bool,
  delimiter: u8,
  keepEmpty: bool,
  keys: usize,
): void {
  let to = keys
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    const start: usize = item.start
    const end: usize = item.end
    let hasKey = true
    // Most whole rows are compared as they stand, because their cells can only be written in one way.
    if (!isWhole || item.flags & UNUSUAL || delimiter != COMMA) {
      if (columnCount == 1 && setOnlyCell(start, end, load<u32>(columns), delimiter)) {
        hasKey = hasColumn
        item.keyStart = <u32>valueStart
        item.keyEnd = <u32>valueEnd
      } else {
        const keyEnd = isWhole
          ? writeRow(start, end, delimiter, to)
          : writeColumns(start, end, columns, columnCount, delimiter, to)
        if (!isWhole) hasKey = hasColumn
        assert(keyEnd <= to + 2 * (end - start) + 2)
        item.keyStart = <u32>to
        item.keyEnd = <u32>keyEnd
        to = keyEnd
      }
    }
    const isEmpty = isEmptyKey(item.keyStart, item.keyEnd)
    countKey(hasKey, isEmpty)
    if (isEmpty && keepEmpty) item.verdict = KEPT
  }
}

/** Finds a single chosen cell, to be compared in place; returns false if it has to be rewritten first. */
@inline
function setOnlyCell(at: usize, rowEnd: usize, column: u32, delimiter: u8): bool {
  hasColumn = false
  for (let before: u32 = 0; ; before++) {
    readCell(at, rowEnd, delimiter)
    if (before == column) break
    if (cellEnd >= rowEnd) {
      valueStart = valueEnd = at
      return true
    }
    at = cellEnd + 1
  }
  hasColumn = true
  if (!needsQuotes(valueStart, valueEnd)) return true
  if (!isQuoted || load<u8>(cellEnd - 1) != QUOTE || cellEnd - 1 != valueEnd) return false
  valueStart = at
  valueEnd = cellEnd
  return true
}

/** Whether all cells of this key are empty. */
@inline
function isEmptyKey(at: usize, end: usize): bool {
  while (at < end && load<u8>(at) == COMMA) at++
  return at == end
}

/** Writes the value of the cell that was read. */
function writeValue(to: usize): usize {
  for (let at = valueStart; at < valueEnd; at++) {
    const byte = load<u8>(at)
    store<u8>(to++, byte)
    if (isQuoted && byte == QUOTE) at++
  }
  return to
}

/** Writes the text for fuzzy comparison: the chosen cells (all of them if none are chosen), joined by spaces. */
export function writeFuzzyText(
  at: usize,
  rowEnd: usize,
  columns: usize,
  columnCount: u32,
  isWhole: bool,
  delimiter: u8,
  to: usize,
): usize {
  let chosen: u32 = 0
  hasColumn = isWhole
  for (let column: u32 = 0; isWhole || chosen < columnCount; column++) {
    readCell(at, rowEnd, delimiter)
    if (isWhole || column == load<u32>(columns + ((<usize>chosen) << 2))) {
      hasColumn = true
      if (chosen++) store<u8>(to++, 0x20)
      to = writeValue(to)
    }
    if (cellEnd >= rowEnd) break
    at = cellEnd + 1
  }
  return to
}

/** Writes the cells of a row as a JSON array of strings; `scratch` has room for one cell. */
export function writeCells(at: usize, rowEnd: usize, delimiter: u8, scratch: usize, to: usize): usize {
  store<u8>(to++, 0x5b)
  while (true) {
    readCell(at, rowEnd, delimiter)
    store<u8>(to++, QUOTE)
    to = encodeString(scratch, writeValue(scratch), to)
    store<u8>(to++, QUOTE)
    if (cellEnd >= rowEnd) break
    store<u8>(to++, COMMA)
    at = cellEnd + 1
  }
  store<u8>(to, 0x5d)
  return to + 1
}
