import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }
/** Below this the table would be smaller than what goes with every part of the temporary file. */
const LEAST_BYTES = 2 ** 20
/** The share of the machine's memory that keys may take: everything else needs some, too. */
const PART_OF_MACHINE = 0.5

/**
 * Reads a size such as `512M`.
 * @returns bytes, undefined when it is not such a size, or less than 1M
 */
export function parseMemory(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text.trim()) ?? []
  const bytes = Math.floor(Number(number) * (UNITS[unit.toUpperCase()] ?? Number.NaN))
  return bytes >= LEAST_BYTES ? bytes : undefined
}

/** What keys may take when nothing is said: half of what the machine, or the container, has. */
export function usualKeyMemory(): number {
  // 0, or more than there is, where nothing is bound.
  const bound = constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(totalmem(), bound) * PART_OF_MACHINE)
}
