/** Unicode lower-casing, independent of locale, with a table of single code units that the host generates. */
import { itemAt, NEEDS_TEXT, OPEN } from './item'
import { writePoint } from './strings'

/** The lower-case form of a key has at most this many times its bytes. `Ⱥ` takes two bytes, `ⱥ` three. */
const GROWTH: usize = 2

/**
 * Lower-cases the keys of all open items among the first `count`, writing them to `to` if they differ: at most twice
 * their bytes. What the table cannot decide (a sigma, whose form depends on its neighbours; characters beyond U+FFFF
 * that may have case; bytes that are not UTF-8) is left to the host: such an item gets NEEDS_TEXT. `table`: a 16-bit
 * code unit for each code unit, 0 if the host has to decide.
 */
export function lowerKeys(items: usize, count: u32, table: usize, to: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != OPEN) continue
    const start: usize = item.keyStart
    const keyEnd: usize = item.keyEnd
    if (isLower(start, keyEnd)) continue
    const lowered = writeLower(start, keyEnd, table, to)
    assert(lowered <= to + GROWTH * (keyEnd - start))
    if (lowered) {
      item.keyStart = <u32>to
      item.keyEnd = <u32>lowered
      to = lowered
    } else {
      item.flags |= NEEDS_TEXT
      item.hash0 = <u32>to
      to += GROWTH * (keyEnd - start)
    }
  }
}

/** A lane of ones for each upper-case ASCII letter. */
@inline
function capitalsIn(block: v128): v128 {
  return i8x16.lt_u(i8x16.sub(block, i8x16.splat(0x41)), i8x16.splat(26))
}

/** Upper-case ASCII letters and all non-ASCII bytes, as bits. */
@inline
function mayChange(block: v128): u32 {
  return i8x16.bitmask(v128.or(capitalsIn(block), block))
}

function isLower(at: usize, end: usize): bool {
  for (; at < end; at += 16) {
    const changing = mayChange(v128.load(at))
    if (changing) return at + ctz(changing) >= end
  }
  return true
}

/** Writes the lower-case form; returns its end, or 0 if the table cannot decide. */
function writeLower(at: usize, end: usize, table: usize, to: usize): usize {
  while (at < end) {
    const block = v128.load(at)
    const beyond = i8x16.bitmask(block)
    v128.store(to, v128.or(block, v128.and(capitalsIn(block), i8x16.splat(0x20))))
    if (!beyond) {
      at += 16
      to += 16
      continue
    }
    at += ctz(beyond)
    to += ctz(beyond)
    // Non-ASCII text is usually followed by more of it, so continue byte by byte up to the next long run of ASCII.
    while (at < end && load<u8>(at) >= 0x80) {
      to = writeLowerPoint(at, end, table, to)
      if (!to) return 0
      at += pointBytes
    }
  }
  return to - (at - end)
}

let pointBytes: usize = 0

function writeLowerPoint(at: usize, end: usize, table: usize, to: usize): usize {
  const first: u32 = load<u8>(at)
  pointBytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (first < 0xc2 || first > 0xf4 || end - at < pointBytes) return 0
  for (let next: usize = 1; next < pointBytes; next++) if ((load<u8>(at + next) & 0xc0) != 0x80) return 0
  const second: u32 = load<u8>(at, 1) & 63
  if (pointBytes == 4) return writeWidePoint(at, to)
  const point =
    pointBytes == 2 ? ((first & 31) << 6) | second : ((first & 15) << 12) | (second << 6) | (load<u8>(at, 2) & 63)
  if (pointBytes == 3 && point < 0x800) return 0
  const lower = load<u16>(table + ((<usize>point) << 1))
  return lower ? writePoint(lower, to) : 0
}

/** Beyond U+FFFF, letters with case are between U+10000 and U+1EFFF; a test checks that against the host. */
@inline
function writeWidePoint(at: usize, to: usize): usize {
  const first = load<u8>(at)
  const second = load<u8>(at, 1)
  if (first == 0xf0 && second < 0x9f) return 0
  if (first == 0xf4 && second > 0x8f) return 0
  store<u32>(to, load<u32>(at))
  return to + 4
}
