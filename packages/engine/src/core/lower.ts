import { writeLowerCase } from './lowercase.ts'
import { ITEM, type Space } from './space.ts'

const CODE_UNITS = 65_536
const UNITS_AT_ONCE = 64
const CAPITAL_SIGMA = 0x3a3
const NEEDS_TEXT = 2

/** Lowers the keys of the first `count` items; returns how many there was room for. */
export function lowerKeys(space: Space, count: number): number {
  if (!space.hasLowerTable) fillTable(space)
  const lowered = space.kernel.lowerKeys(space.items, count, space.lowerTable, space.lowered, space.loweredEnd)
  const { words, bytes } = space
  for (let index = 0; index < lowered; index++) {
    const item = space.item(index)
    if (((words[item + ITEM.flags] ?? 0) & NEEDS_TEXT) === 0) continue
    const room = words[item + ITEM.hash] ?? 0
    const end = writeLowerCase(bytes, words[item + ITEM.keyStart] ?? 0, words[item + ITEM.keyEnd] ?? 0, room)
    words[item + ITEM.keyStart] = room
    words[item + ITEM.keyEnd] = end
  }
  return lowered
}

/** The lower case of each single code unit, as the platform has it; 0 where it takes more than that one to tell. */
function fillTable(space: Space): void {
  const table = new Uint16Array(space.bytes.buffer, space.lowerTable, CODE_UNITS)
  for (let first = 0; first < CODE_UNITS; first += UNITS_AT_ONCE) {
    const units = Array.from({ length: UNITS_AT_ONCE }, (_, i) => first + i)
    const text = String.fromCharCode(...units)
    table.set(units, first)
    if (text.toLowerCase() === text) continue
    for (const unit of units) {
      const lower = String.fromCharCode(unit).toLowerCase()
      table[unit] = lower.length === 1 ? lower.charCodeAt(0) : 0
    }
  }
  table[CAPITAL_SIGMA] = 0
  space.hasLowerTable = true
}
