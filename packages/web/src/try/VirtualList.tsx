import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/compat'

interface VirtualListProps<Entry> {
  /** Names the list for those who do not see it. */
  readonly label: string
  readonly count: number
  /** Height of one entry in rem; all have the same. */
  readonly entryRem: number
  /** Entries from a position on, fewer at the end. */
  readonly load: (from: number, count: number) => Promise<readonly Entry[]>
  readonly show: (entry: Entry) => ReactNode
}

/** Browsers cut elements off somewhere above this height; longer lists scroll faster instead. */
const TALLEST_PX = 8_000_000

/** Entries fetched in front of and behind what is seen, so that slow scrolling meets no blank. */
const MARGIN = 20

interface Loaded<Entry> {
  readonly from: number
  readonly entries: readonly Entry[]
}

/** A list of any length: only what is seen is in the document, and only that is asked for. */
export function VirtualList<Entry>({ label, count, entryRem, load, show }: VirtualListProps<Entry>): ReactElement {
  const frame = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const { heightPx, entryPx } = useSizes(frame, entryRem)
  const { first, offsetPx, spacerPx, seen } = place({ count, entryPx, heightPx, scrollTop })
  const loaded = useEntries({ first, seen, count, load })

  const shown = []
  for (let at = first; at < Math.min(first + seen, count); at += 1) {
    const entry = loaded.entries[at - loaded.from]
    shown.push(
      <li key={at} aria-setsize={count} aria-posinset={at + 1}>
        {entry !== undefined && show(entry)}
      </li>,
    )
  }
  return (
    <section
      className="virtual"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      ref={frame}
      onScroll={(event: UIEvent<HTMLElement>) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: spacerPx }}>
        <ol className="virtual-seen" style={{ transform: `translateY(${-offsetPx}px)` }}>
          {shown}
        </ol>
      </div>
    </section>
  )
}

/** Height of the frame and of one entry in pixels, both of which follow the reader's font size. */
function useSizes(frame: RefObject<HTMLElement | null>, entryRem: number): { heightPx: number; entryPx: number } {
  const [sizes, setSizes] = useState({ heightPx: 0, entryPx: entryRem * 16 })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const watcher = new ResizeObserver(() => {
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setSizes({ heightPx: element.clientHeight, entryPx: entryRem * remPx })
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [frame, entryRem])
  return sizes
}

interface Place {
  readonly first: number
  /** How far the first entry stands above the upper edge. */
  readonly offsetPx: number
  readonly spacerPx: number
  readonly seen: number
}

/** Which entries are seen. Where the whole would be too tall, the scroll bar stands for a share of the list. */
export function place(view: { count: number; entryPx: number; heightPx: number; scrollTop: number }): Place {
  const { count, entryPx, heightPx, scrollTop } = view
  const wholePx = count * entryPx
  const spacerPx = Math.min(wholePx, TALLEST_PX)
  const scale = spacerPx < wholePx ? (wholePx - heightPx) / (spacerPx - heightPx) : 1
  const topPx = Math.max(0, Math.min(scrollTop * scale, wholePx - heightPx))
  const first = Math.floor(topPx / entryPx)
  return { first, offsetPx: topPx - first * entryPx, spacerPx, seen: Math.ceil(heightPx / entryPx) + 1 }
}

interface Wanted<Entry> {
  readonly first: number
  readonly seen: number
  readonly count: number
  readonly load: VirtualListProps<Entry>['load']
}

/** The entries around what is seen. What was there stays until what is new has come. */
function useEntries<Entry>({ first, seen, count, load }: Wanted<Entry>): Loaded<Entry> {
  const [loaded, setLoaded] = useState<Loaded<Entry>>({ from: 0, entries: [] })
  const from = Math.max(0, first - MARGIN)
  const wanted = Math.min(count, first + seen + MARGIN) - from
  useEffect(() => {
    let current = true
    const keep = (entries: readonly Entry[]): void => {
      if (current) setLoaded({ from, entries })
    }
    // A run that was left answers nothing; the next one brings a `load` of its own.
    load(from, wanted).then(keep, () => undefined)
    return () => {
      current = false
    }
  }, [from, wanted, load])
  return loaded
}
