/** A list in its frame: lines of one height, seen through a window. */
export interface Frame {
  readonly count: number
  /** Height of one line. */
  readonly entryPx: number
  /** Height of the window. */
  readonly heightPx: number
}

/** Browsers cut elements off somewhere above this height; longer lists scroll faster instead. */
const TALLEST_PX = 8_000_000

interface Place {
  readonly first: number
  /** How far the first line stands above the upper edge. */
  readonly offsetPx: number
  readonly spacerPx: number
  readonly seen: number
}

/** Which lines are seen. Where the whole would be too tall, the scroll bar stands for a share of the list. */
export function place(frame: Frame, scrollTop: number): Place {
  const { count, entryPx, heightPx } = frame
  const wholePx = count * entryPx
  const topPx = Math.max(0, Math.min(scrollTop * scaleOf(frame), wholePx - heightPx))
  const first = Math.floor(topPx / entryPx)
  const spacerPx = Math.min(wholePx, TALLEST_PX)
  return { first, offsetPx: topPx - first * entryPx, spacerPx, seen: Math.ceil(heightPx / entryPx) + 1 }
}

/** Where to scroll so that a line is seen whole: no further than needed. */
export function scrollTopFor(frame: Frame, line: number, scrollTop: number): number {
  const { entryPx, heightPx } = frame
  const scale = scaleOf(frame)
  const topPx = line * entryPx
  const highest = (topPx + entryPx - heightPx) / scale
  return Math.max(0, Math.max(highest, Math.min(scrollTop, topPx / scale)))
}

/** Pixels of the list to one of the scroll bar. */
function scaleOf({ count, entryPx, heightPx }: Frame): number {
  const wholePx = count * entryPx
  return wholePx > TALLEST_PX ? (wholePx - heightPx) / (TALLEST_PX - heightPx) : 1
}
