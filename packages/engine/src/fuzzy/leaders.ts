import { type ShouldStop, Stopped } from '../verdicts.ts'
import { type Opened, openKernel } from './kernel.ts'

/** How the kernel goes about it; what it finds never depends on these. */
export interface Tuning {
  /** Keys that are held together against those kept before. */
  readonly batchSize: number
  /** Whether keys are looked up by their segments where that is cheaper than a scan. */
  readonly indexing: boolean
  /** Random number that goes into the hashes of the caller's data. */
  readonly seed: number
}

/** Measured: larger batches share more work on kept keys, and compare more among themselves. */
export const TUNING: Tuning = { batchSize: 256, indexing: true, seed: 0 }

export interface Found {
  /** For each key the position of the first kept key that reaches the threshold: its own when it is kept. */
  readonly leaderOf: Int32Array
  /** Pairs that no bound had told apart. */
  readonly pairsCompared: number
  /** The kernel's memory at its end. */
  readonly memoryBytes: number
}

/**
 * Finds near-duplicates among distinct keys.
 *
 * @throws Stopped once `shouldStop` answers true
 */
export function findLeaders(
  keys: readonly string[],
  threshold: number,
  shouldStop: ShouldStop,
  tuning: Tuning = TUNING,
): Found {
  if (keys.length === 0) return { leaderOf: new Int32Array(0), pairsCompared: 0, memoryBytes: 0 }
  const opened = openKernel(() => {
    if (shouldStop()) throw new Stopped()
  })
  const { kernel, memory } = opened
  giveRequest(opened, keys, threshold, tuning)
  const leaders = kernel.findLeaders()
  const { buffer } = memory
  return {
    leaderOf: new Int32Array(buffer, leaders, keys.length).slice(),
    // The kernel counts in 32 bits without a sign.
    pairsCompared: kernel.pairsCompared() >>> 0,
    memoryBytes: buffer.byteLength,
  }
}

export function giveRequest(
  { kernel, memory }: Opened,
  keys: readonly string[],
  threshold: number,
  { batchSize, indexing, seed }: Tuning,
): void {
  let units = 0
  for (const key of keys) units += key.length
  const starts = kernel.allocate((keys.length + 1) * 4)
  const points = kernel.allocate(units * 4)
  layOut(keys, new Uint32Array(memory.buffer, starts, keys.length + 1), new Uint32Array(memory.buffer, points, units))
  kernel.takeRequest(keys.length, starts, points, threshold, seed)
  kernel.prepare(batchSize, indexing)
}

/** The code points of all keys in one row, key i from `starts[i]` to `starts[i + 1]`. */
function layOut(keys: readonly string[], starts: Uint32Array, points: Uint32Array): void {
  let end = 0
  keys.forEach((key, index) => {
    for (let unit = 0; unit < key.length; unit++) {
      const code = key.charCodeAt(unit)
      const point = (code & 0xf800) === 0xd800 ? (key.codePointAt(unit) ?? code) : code
      if (point > 0xffff) unit++
      points[end++] = point
    }
    starts[index + 1] = end
  })
}
