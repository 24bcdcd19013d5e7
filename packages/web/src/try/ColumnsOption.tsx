import type { ReactElement } from 'preact/compat'
import { classes } from '../design/index.ts'

/** Wide files have hundreds of columns; this many are enough to choose from. */
const SHOWN_COLUMNS = 60

interface ColumnsOptionProps {
  readonly title: string
  /** What is compared if no column is chosen. */
  readonly whole: string
  readonly columns: readonly string[]
  /** Columns are chosen by position, so a choice from another list's columns would be wrong. */
  readonly areCurrent: boolean
  readonly chosen: readonly number[]
  readonly onChoose: (columns: readonly number[]) => void
}

/** Columns to choose from. */
export function ColumnsOption(props: ColumnsOptionProps): ReactElement | null {
  const { title, whole, columns, areCurrent, chosen, onChoose } = props
  if (columns.length < 2 && chosen.length === 0) return null
  const toggle = (column: number): void =>
    onChoose(
      chosen.includes(column) ? chosen.filter((other) => other !== column) : [...chosen, column].sort((a, b) => a - b),
    )
  const chip = (label: string, isChosen: boolean, onChange: () => void) => (
    <label key={label} className={classes('chip', isChosen && 'chip-on')}>
      <input type="checkbox" className="visually-hidden" checked={isChosen} onChange={onChange} />
      {label}
    </label>
  )
  const offered = columns.slice(0, SHOWN_COLUMNS).map((_, column) => column)
  // A chosen column stays visible even if the current list lacks it.
  const shown = [...new Set([...offered, ...chosen])]
  return (
    <fieldset className="chips try-columns" inert={!areCurrent}>
      <legend className="field-label">{title}</legend>
      {chip(whole, chosen.length === 0, () => onChoose([]))}
      {shown.map((column) =>
        chip(columns[column] ?? `Column ${column}`, chosen.includes(column), () => toggle(column)),
      )}
    </fieldset>
  )
}
