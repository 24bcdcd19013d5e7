/** A Blob, or anything that can be sliced like one. */
export interface Source {
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Large enough that a read costs little compared with its processing, small enough to show progress. */
export const SLICE_BYTES = 1_048_576

/** The whole source, slice by slice. */
export async function* slicesOf(source: Source, sliceBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < source.size; at += sliceBytes) {
    const end = Math.min(at + sliceBytes, source.size)
    yield new Uint8Array(await source.slice(at, end).arrayBuffer())
  }
}

/** A range of a source. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Ranges no further apart than this are read together. */
const GAP_BYTES = 65_536

/** Reads ranges of a source, in any order; neighbours are read together. */
export async function readRanges(source: Source, ranges: readonly ByteRange[]): Promise<Uint8Array[]> {
  const found: Uint8Array[] = ranges.map(() => new Uint8Array())
  const order = [...ranges.entries()].sort(([, a], [, b]) => a.start - b.start)
  for (let first = 0; first < order.length; ) {
    const start = order[first]?.[1].start ?? 0
    let end = order[first]?.[1].end ?? 0
    let next = first + 1
    for (let [, range] = order[next] ?? []; range && range.start <= end + GAP_BYTES; [, range] = order[next] ?? []) {
      end = Math.max(end, range.end)
      next++
    }
    const bytes = new Uint8Array(await source.slice(start, end).arrayBuffer())
    for (const [index, range] of order.slice(first, next)) {
      found[index] = bytes.subarray(range.start - start, range.end - start)
    }
    first = next
  }
  return found
}
