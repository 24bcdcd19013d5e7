import { type ShouldStop, Stopped } from '../verdicts.ts'
import { allowedDistance } from './allowance.ts'
import { openKernel } from './kernel.ts'
import { layOut, type Texts } from './texts.ts'

/** How the kernel goes about it; what it finds never depends on these. */
export interface Tuning {
  /** Keys that are held together against those kept before. */
  readonly batchSize: number
  /** Whether keys are looked up by their segments where that is cheaper than a scan. */
  readonly indexing: boolean
  /** Random number that goes into the hashes of the caller's data. */
  readonly seed: number
}

/**
 * For each of the distinct keys, in order, the first kept key that reaches the threshold: itself when it is kept.
 *
 * @returns Positions in `keys`.
 * @throws Stopped once `shouldStop` answers true.
 */
export function findLeaders(
  keys: readonly string[],
  threshold: number,
  shouldStop: ShouldStop,
  tuning: Tuning,
): Int32Array {
  if (keys.length === 0) return new Int32Array(0)
  const opened = openKernel(() => {
    if (shouldStop()) throw new Stopped()
  })
  giveRequest(opened, layOut(keys), threshold, tuning)
  const leaders = opened.kernel.findLeaders()
  return new Int32Array(opened.memory.buffer, leaders, keys.length).slice()
}

type Opened = ReturnType<typeof openKernel>

export function giveRequest(opened: Opened, texts: Texts, threshold: number, tuning: Tuning): void {
  const { lengths, ranks } = rankLengths(texts.starts)
  const allowances = Uint32Array.from(lengths, (length) => allowedDistance(length, threshold))
  opened.kernel.takeRequest(
    ranks.length,
    put(opened, texts.starts),
    put(opened, ranks),
    put(opened, texts.classes),
    texts.classCount,
    texts.classesAreShared ? put(opened, texts.points) : 0,
    lengths.length,
    put(opened, lengths),
    put(opened, allowances),
    tuning.seed,
  )
  opened.kernel.prepare(tuning.batchSize, tuning.indexing)
}

/** The lengths that occur, ascending, and for each key the rank of its length among them. */
function rankLengths(starts: Uint32Array): { lengths: Uint32Array<ArrayBuffer>; ranks: Uint32Array<ArrayBuffer> } {
  const ofKey = new Uint32Array(starts.length - 1).map((_, key) => (starts[key + 1] ?? 0) - (starts[key] ?? 0))
  const lengths = Uint32Array.from(new Set(ofKey)).sort()
  const rankOf = new Map(Array.from(lengths, (length, rank) => [length, rank]))
  return { lengths, ranks: ofKey.map((length) => rankOf.get(length) ?? 0) }
}

/** Copies a table into the kernel's memory, and says where it is. */
function put({ kernel, memory }: Opened, table: Uint8Array | Uint32Array): number {
  const address = kernel.allocate(table.byteLength)
  const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
  new Uint8Array(memory.buffer, address, table.byteLength).set(bytes)
  return address
}
