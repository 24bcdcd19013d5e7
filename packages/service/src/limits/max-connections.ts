import { readFileSync } from 'node:fs'

/** Descriptors that connections leave for modules, the database, threads (a dozen each) and 300 DNS queries. */
const RESERVED = 1_024

/**
 * How many connections may be open, so that no number of idle ones takes the descriptors that work needs: at least half
 * of the files that this process may open. Infinite where the system does not say how many those are.
 */
export function maxConnections(): number {
  const files = openFilesLimit()
  return files - Math.min(RESERVED, Math.floor(files / 2))
}

function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
