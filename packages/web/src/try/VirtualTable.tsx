import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'preact/compat'
import { useUniqueId } from '../design/index.ts'
import { type Frame, scrollTopFor, visibleRange } from './visibleRange.ts'

interface VirtualTableProps<Line> {
  /** The table's name, for screen readers. */
  readonly label: string
  readonly count: number
  /** Widths of the columns as CSS lengths, in the table's own font. */
  readonly widths: readonly string[]
  /** The column that takes up the remaining width. */
  readonly growing: number
  /** The cells of the header. */
  readonly head: ReactNode
  /** Loads lines from a position on; fewer at the end of the list. */
  readonly load: (from: number, count: number) => Promise<readonly Line[]>
  /** Renders the cells of a line. */
  readonly show: (line: Line, at: number) => ReactNode
  readonly classOf: (line: Line) => string | undefined
  /** On Enter, or a click on the line. */
  readonly onOpen: (line: Line, at: number) => void
  /** On Space. */
  readonly onFold?: ((line: Line) => void) | undefined
}

/** Height of every line in rem. */
const LINE_REM = 2
/** Lines loaded before and after the visible ones, so that slow scrolling shows no gaps. */
const MARGIN = 20
/** How many lines each arrow key moves by. */
const STEPS = { ArrowDown: 1, ArrowUp: -1 }
const SIDEWAYS: Record<string, number> = { ArrowRight: 80, ArrowLeft: -80 }

/**
 * A table of any length that loads and renders only its visible lines. It is a single tab stop; arrow keys, Page Up,
 * Page Down, Home and End move between lines, Enter opens one (WAI-ARIA grid pattern).
 */
export function VirtualTable<Line>(props: VirtualTableProps<Line>): ReactElement {
  const { label, count, widths, growing, head, load, show, classOf, onOpen, onFold } = props
  const id = useUniqueId()
  const frame = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [active, setActive] = useState(0)
  const { heightPx, entryPx } = useSizes(frame)
  const view: Frame = { count, entryPx, heightPx }
  const { first, offsetPx, spacerPx, visibleCount } = visibleRange(view, scrollTop)
  const lineAt = useLines({ first, visibleCount, count, load })
  const current = Math.min(active, count - 1)

  const moveTo = (line: number): void => {
    const next = Math.max(0, Math.min(line, count - 1))
    setActive(next)
    if (frame.current) frame.current.scrollTop = scrollTopFor(view, next, frame.current.scrollTop)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor(heightPx / entryPx) - 1)
    const steps: Record<string, number> = { ...STEPS, PageDown: page, PageUp: -page, Home: -count, End: count }
    const line = lineAt(current)
    const step = steps[event.key]
    const left = SIDEWAYS[event.key]
    if (step !== undefined) moveTo(current + step)
    else if (left !== undefined) frame.current?.scrollBy({ left })
    else if (event.key === ' ' && line) onFold?.(line)
    else if (event.key === 'Enter' && line) onOpen(line, current)
    else return
    event.preventDefault()
  }

  const lines = Array.from(
    { length: Math.max(0, Math.min(first + visibleCount, count) - first) },
    (_, at) => first + at,
  )
  const width = `max(100%, calc(${widths.join(' + ')}))`
  return (
    <div className="virtual" ref={frame} onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}>
      <div style={{ height: `calc(${spacerPx}px + ${LINE_REM}rem)`, width }}>
        <div className="virtual-seen">
          <table
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with arrow-key navigation
            role="grid"
            aria-label={label}
            aria-rowcount={count + 1}
            aria-activedescendant={`${id}-${current}`}
            tabIndex={0}
            className="entries"
            onKeyDown={onKeyDown}
          >
            <colgroup>
              {widths.map((each, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
                <col key={column} style={column === growing ? undefined : { width: `calc(${each})` }} />
              ))}
            </colgroup>
            <thead>
              <tr aria-rowindex={1}>{head}</tr>
            </thead>
            <tbody style={{ transform: `translateY(${-offsetPx}px)` }}>
              {lines.map((at) => {
                const line = lineAt(at)
                return (
                  <tr
                    key={at}
                    id={`${id}-${at}`}
                    aria-rowindex={at + 2}
                    aria-selected={at === current}
                    className={line && classOf(line)}
                    onClick={() => {
                      setActive(at)
                      if (line) onOpen(line, at)
                    }}
                  >
                    {line ? show(line, at) : <td />}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  )
}

/** Height of the area for lines and of one line, in pixels; both follow the user's font size. */
function useSizes(frame: RefObject<HTMLElement | null>): { heightPx: number; entryPx: number } {
  const [sizes, setSizes] = useState({ heightPx: 0, entryPx: LINE_REM * 16 })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const watcher = new ResizeObserver(() => {
      const entryPx = LINE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      setSizes({ heightPx: Math.max(0, element.clientHeight - entryPx), entryPx })
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [frame])
  return sizes
}

interface LinesQuery<Line> {
  readonly first: number
  readonly visibleCount: number
  readonly count: number
  readonly load: VirtualTableProps<Line>['load']
}

/** The lines around the visible ones. Old lines stay until the new ones have been loaded. */
function useLines<Line>({ first, visibleCount, count, load }: LinesQuery<Line>): (at: number) => Line | undefined {
  const [loaded, setLoaded] = useState<{ readonly from: number; readonly lines: readonly Line[] }>({
    from: 0,
    lines: [],
  })
  const from = Math.max(0, first - MARGIN)
  const length = Math.min(count, first + visibleCount + MARGIN) - from
  useEffect(() => {
    let current = true
    const keep = (lines: readonly Line[]): void => {
      if (current) setLoaded({ from, lines })
    }
    // Fails if the run is abandoned; the next run has its own `load`.
    load(from, length).then(keep, () => undefined)
    return () => {
      current = false
    }
  }, [from, length, load])
  return (at) => loaded.lines[at - loaded.from]
}
