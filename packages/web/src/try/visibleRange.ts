/** A scrolling list of lines of equal height. */
export interface Frame {
  readonly count: number
  /** Height of one line. */
  readonly entryPx: number
  /** Height of the visible part. */
  readonly heightPx: number
}

/** Browsers clip elements somewhere above this height; longer lists scroll faster instead. */
const MAX_HEIGHT_PX = 8_000_000

interface VisibleRange {
  readonly first: number
  /** How far the first line begins above the upper edge. */
  readonly offsetPx: number
  readonly spacerPx: number
  readonly visibleCount: number
}

/** Which lines are visible. If the list would be too tall, one scroll-bar pixel stands for several of the list. */
export function visibleRange(frame: Frame, scrollTop: number): VisibleRange {
  const { count, entryPx, heightPx } = frame
  const wholePx = count * entryPx
  const topPx = Math.max(0, Math.min(scrollTop * scaleOf(frame), wholePx - heightPx))
  const first = Math.floor(topPx / entryPx)
  const spacerPx = Math.min(wholePx, MAX_HEIGHT_PX)
  return { first, offsetPx: topPx - first * entryPx, spacerPx, visibleCount: Math.ceil(heightPx / entryPx) + 1 }
}

/** The scroll position that shows a whole line, moving no further than necessary. */
export function scrollTopFor(frame: Frame, line: number, scrollTop: number): number {
  const { entryPx, heightPx } = frame
  const scale = scaleOf(frame)
  const topPx = line * entryPx
  const highest = (topPx + entryPx - heightPx) / scale
  return Math.max(0, Math.max(highest, Math.min(scrollTop, topPx / scale)))
}

/** Pixels of the list per pixel of the scroll bar. */
function scaleOf({ count, entryPx, heightPx }: Frame): number {
  const wholePx = count * entryPx
  return wholePx > MAX_HEIGHT_PX ? (wholePx - heightPx) / (MAX_HEIGHT_PX - heightPx) : 1
}
