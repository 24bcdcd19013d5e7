import { CODE_UNITS, ITEM, type Space } from './space.ts'
import { wellFormedParts } from './utf8.ts'

const UNITS_PER_BATCH = 64
const CAPITAL_SIGMA = 0x3a3
const NEEDS_TEXT = 2

const encoder = new TextEncoder()

/** Lower-cases the keys of the first `count` items. */
export function lowerKeys(space: Space, count: number): void {
  if (!space.hasLowerTable) {
    lowerTable ??= makeTable()
    new Uint16Array(space.bytes.buffer, space.lowerTable, CODE_UNITS).set(lowerTable)
    space.hasLowerTable = true
  }
  space.kernel.lowerKeys(space.items, count, space.lowerTable, space.lowered)
  const { words, bytes } = space
  for (let index = 0; index < count; index++) {
    const item = space.item(index)
    if (((words[item + ITEM.flags] ?? 0) & NEEDS_TEXT) === 0) continue
    const room = words[item + ITEM.hash] ?? 0
    const end = writeLowerCase(bytes, words[item + ITEM.keyStart] ?? 0, words[item + ITEM.keyEnd] ?? 0, room)
    words[item + ITEM.keyStart] = room
    words[item + ITEM.keyEnd] = end
  }
}

let lowerTable: Uint16Array | undefined

/** The platform's lower case of each code unit; 0 where it depends on more than that code unit. */
function makeTable(): Uint16Array {
  const table = Uint16Array.from({ length: CODE_UNITS }, (_, unit) => unit)
  for (let first = 0; first < CODE_UNITS; first += UNITS_PER_BATCH) {
    const units = table.subarray(first, first + UNITS_PER_BATCH)
    const text = String.fromCharCode(...units)
    if (text.toLowerCase() === text) continue
    for (const [i, unit] of units.entries()) {
      const lower = String.fromCharCode(unit).toLowerCase()
      units[i] = lower.length === 1 ? lower.charCodeAt(0) : 0
    }
  }
  table[CAPITAL_SIGMA] = 0
  return table
}

/**
 * Writes the lower-case form of the text from `start` to `end` to `to` (which may be `start`) and returns its end.
 * Lower-cases as specified (2.2); the result has at most one and a half times as many bytes. Bytes that are not UTF-8
 * are kept and end a word.
 */
function writeLowerCase(bytes: Uint8Array, start: number, end: number, to: number): number {
  let out = to
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= 0x80) return writeLowerCaseText(bytes, bytes.slice(start, end), to)
    bytes[out++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
  }
  return out
}

function writeLowerCaseText(bytes: Uint8Array, text: Uint8Array, to: number): number {
  let out = to
  for (const part of wellFormedParts(text)) {
    const written = typeof part === 'string' ? encoder.encode(part.toLowerCase()) : part
    bytes.set(written, out)
    out += written.length
  }
  return out
}
