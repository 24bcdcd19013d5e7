import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }
/** Below this, the table would be smaller than the per-part overhead of the temporary file. */
const LEAST_BYTES = 2 ** 20
/** The share of the machine's memory that keys may take, leaving room for everything else. */
const PART_OF_MACHINE = 0.5

/**
 * Parses a size such as `512M`.
 * @returns bytes; undefined if the text is not a size or is below 1M
 */
export function parseMemory(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([KMG]?)(?:i?B)?$/i.exec(text.trim()) ?? []
  const bytes = Math.floor(Number(number) * (UNITS[unit.toUpperCase()] ?? Number.NaN))
  return bytes >= LEAST_BYTES ? bytes : undefined
}

/** Memory for keys by default, in bytes: half of what the machine or container has. */
export function usualKeyMemory(): number {
  // 0, or more than the machine has, when the process is not limited.
  const bound = constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.floor(Math.min(totalmem(), bound) * PART_OF_MACHINE)
}
