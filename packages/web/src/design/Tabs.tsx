import { type ReactElement, type ReactNode, useRef } from 'preact/compat'
import { useUniqueId } from './ids.ts'

interface Tab<Name extends string> {
  readonly name: Name
  readonly title: ReactNode
}

interface TabsProps<Name extends string> {
  /** What is being chosen, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly current: Name
  readonly onChoose: (name: Name) => void
  /** Shown at the right end of the row. */
  readonly aside?: ReactNode
  readonly barClass?: string
  /** The panel of the current tab. */
  readonly children: ReactNode
}

const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Tabs with a single tab stop; arrow keys, Home and End move and select (WAI-ARIA tabs pattern). */
export function Tabs<Name extends string>(props: TabsProps<Name>): ReactElement {
  const { label, tabs, current, onChoose, aside, barClass, children } = props
  const id = useUniqueId()
  const row = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const here = tabs.findIndex(({ name }) => name === current)
    const there = Number.isFinite(step) ? (here + step + tabs.length) % tabs.length : step < 0 ? 0 : tabs.length - 1
    const next = tabs[there]
    if (!next) return
    onChoose(next.name)
    row.current?.querySelectorAll<HTMLElement>('[role=tab]')[there]?.focus()
  }

  return (
    <>
      <div className={barClass}>
        <div className="tabs" role="tablist" aria-label={label} ref={row} onKeyDown={onKeyDown}>
          {tabs.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              className="tab"
              id={`${id}-${name}`}
              aria-selected={name === current}
              aria-controls={`${id}-panel`}
              tabIndex={name === current ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {title}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  )
}
