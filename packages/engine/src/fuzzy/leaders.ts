import { type ShouldStop, Stopped } from '../verdicts.ts'
import { type Opened, openFuzzyKernel } from './kernel.ts'

/** Parameters of the search; its results never depend on them. */
export interface Tuning {
  /** How many keys are compared with the kept ones at a time. */
  readonly batchSize: number
  /** Whether to look keys up by segments where that is cheaper than a scan. */
  readonly indexing: boolean
  /** A random number for the hashes of the caller's data. */
  readonly seed: number
}

/** Chosen by measurement: larger batches share more work on kept keys but make more comparisons within the batch. */
export const TUNING: Tuning = { batchSize: 256, indexing: true, seed: 0 }

export interface Found {
  /** For each key the position of the first kept key that reaches the threshold: its own if it is kept. */
  readonly leaderOf: Int32Array
  /** Pairs that no bound could rule out. */
  readonly pairsCompared: number
  /** The size of the kernel's memory at the end. */
  readonly memoryBytes: number
}

/**
 * Finds near-duplicates among distinct keys.
 *
 * @throws Stopped when `shouldStop` returns true
 */
export function findLeaders(
  keys: readonly string[],
  threshold: number,
  shouldStop: ShouldStop,
  tuning: Tuning = TUNING,
): Found {
  if (keys.length === 0) return { leaderOf: new Int32Array(0), pairsCompared: 0, memoryBytes: 0 }
  const opened = openFuzzyKernel(() => {
    if (shouldStop()) throw new Stopped()
  })
  const { kernel, memory } = opened
  giveRequest(opened, keys, threshold, tuning)
  const leaders = kernel.findLeaders()
  const { buffer } = memory
  return {
    leaderOf: new Int32Array(buffer, leaders, keys.length).slice(),
    // The kernel returns a signed 32-bit number; this makes it unsigned.
    pairsCompared: kernel.pairsCompared() >>> 0,
    memoryBytes: buffer.byteLength,
  }
}

/** Passes keys and parameters to a kernel, which prepares for them. */
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

/** Writes the code points of all keys in one sequence; key i spans `starts[i]` to `starts[i + 1]`. */
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
