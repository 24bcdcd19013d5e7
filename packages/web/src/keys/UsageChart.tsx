import { CALL_MODES, type CallMode, type DayView, grouped, withNoun } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { classes } from '../design/index.ts'
import { monthName, shortDay, shortNumber } from './format.ts'
import { sumOf, unitsOf } from './usage.ts'

export interface ChartDay {
  /** `YYYY-MM-DD` */
  readonly day: string
  /** What was used on the day. */
  readonly usage: readonly DayView[]
}

interface UsageChartProps {
  readonly month: string
  readonly days: readonly ChartDay[]
}

/** Heights in pixels; widths are fractions of the available width. */
const PLOT = 176
const AXIS = 24

/**
 * One stacked bar per day, split by mode. Details of the bar under the pointer are shown above; the table has all
 * values.
 */
export function UsageChart({ month, days }: UsageChartProps): ReactElement {
  const [pointed, setPointed] = useState<ChartDay>()
  const top = niceCeiling(Math.max(...days.map(({ usage }) => sumOf(usage, 'units')), 1))
  const all = days.flatMap(({ usage }) => usage)
  const shown = pointed?.usage ?? all
  const refused = sumOf(shown, 'refused')
  return (
    <figure
      className="chart"
      aria-label={`${grouped(sumOf(all, 'units'))} units in ${monthName(month)}, by day and mode`}
    >
      <figcaption className="chart-head">
        <span>
          <strong className="number">{withNoun(sumOf(shown, 'units'), 'unit')}</strong>{' '}
          <span className="muted number">
            {pointed ? `on ${shortDay(pointed.day)}` : `in ${monthName(month)}`} ·{' '}
            {withNoun(sumOf(shown, 'calls'), 'call')}
            {refused > 0 && ` · ${grouped(refused)} refused`}
          </span>
        </span>
        <ul className="legend">
          {CALL_MODES.map((mode) => (
            <li key={mode}>
              <svg width="10" height="10" aria-hidden="true">
                <rect fill={colourOf(mode)} width="10" height="10" rx="2.5" />
              </svg>
              {mode} <span className="number">{grouped(unitsOf(shown, mode))}</span>
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="chart-plot">
        <svg aria-hidden="true" height={PLOT + AXIS}>
          {[1, 0.5, 0].map((share) => (
            <text key={share} x="100%" y={y(share) + 4} textAnchor="end">
              {shortNumber(top * share)}
            </text>
          ))}
        </svg>
        <svg aria-hidden="true" height={PLOT + AXIS} onPointerLeave={() => setPointed(undefined)}>
          {[1, 0.5, 0].map((share) => (
            <line key={share} className="chart-line" x1="0" x2="100%" y1={y(share)} y2={y(share)} />
          ))}
          {days.map((entry, i) => (
            <g
              key={entry.day}
              className={classes('chart-day', pointed?.day === entry.day && 'chart-pointed')}
              onPointerEnter={() => setPointed(entry)}
            >
              <rect
                className="chart-reach"
                x={percentage(i, days.length)}
                y="0"
                width={percentage(1, days.length)}
                height={PLOT + 8}
              />
              <Stack
                usage={entry.usage}
                top={top}
                x={percentage(i + 0.18, days.length)}
                width={percentage(0.64, days.length)}
              />
              {isLabelled(i) && (
                <text x={percentage(i + 0.5, days.length)} y={PLOT + AXIS - 2} textAnchor="middle">
                  {i + 1}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </figure>
  )
}

interface StackProps {
  readonly usage: readonly DayView[]
  readonly top: number
  readonly x: string
  readonly width: string
}

function Stack({ usage, top, x, width }: StackProps): ReactElement {
  let below = 0
  return (
    <>
      {CALL_MODES.filter((mode) => unitsOf(usage, mode) > 0).map((mode) => {
        const from = below
        below += unitsOf(usage, mode) / top
        // Any usage at all is visible, even one unit in a million.
        const height = Math.max(y(from) - y(below), 2)
        return (
          <rect key={mode} fill={colourOf(mode)} x={x} y={y(from) - height} width={width} height={height} rx="1.5" />
        )
      })}
    </>
  )
}

/** Distance from the top, in pixels, for a fraction of the scale; some space is left at the top for its label. */
function y(share: number): number {
  return 8 + (1 - share) * (PLOT - 8)
}

function percentage(part: number, whole: number): string {
  return `${(part / whole) * 100}%`
}

/** The first of the month and every fifth day. */
function isLabelled(i: number): boolean {
  return i === 0 || (i + 1) % 5 === 0
}

/** Rounds up to 1, 2, 4, 6, 8 or 10 times a power of ten, so that half of it is a round number too. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return Math.max(2, step * power)
}

/** One colour of the palette for each mode, in order. */
function colourOf(mode: CallMode): string {
  return `var(--chart-${CALL_MODES.indexOf(mode) + 1})`
}
