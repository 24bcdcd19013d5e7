import type { ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface BarProps {
  readonly label: string
  readonly value: number
  readonly max: number
  /** The text on the right ("212 of 1,000 units"). */
  readonly text: string
  readonly note?: ReactNode
}

/** Shows how much of an allowance is used: as a warning from 80% on, and in red when nothing is left. */
export function Bar({ label, value, max, text, note }: BarProps): ReactElement {
  const share = max > 0 ? Math.min(value / max, 1) : 0
  return (
    <div className={classes('bar', share >= 1 ? 'bar-full' : share >= 0.8 && 'bar-high')}>
      <div className="bar-text">
        <span>{label}</span>
        <span className="number muted">{text}</span>
      </div>
      <meter className="visually-hidden" aria-label={label} max={max} value={value}>
        {text}
      </meter>
      <svg aria-hidden="true">
        <rect className="bar-track" width="100%" height="100%" />
        <rect className="bar-fill" width={`${share * 100}%`} height="100%" />
      </svg>
      {note && <p className="field-hint">{note}</p>}
    </div>
  )
}
