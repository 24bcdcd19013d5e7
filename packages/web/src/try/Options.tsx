import { unreachable } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Check, classes } from '../design/index.ts'
import type { AllOptions, Question } from './question.ts'

interface OptionsProps {
  readonly question: Question
  /** Titles of the columns of the list at hand. */
  readonly columns: readonly string[]
  readonly onChange: (options: Partial<AllOptions>) => void
}

/** The options of the API for the mode at hand. */
export function Options({ question, columns, onChange }: OptionsProps): ReactElement {
  switch (question.mode) {
    case 'lines':
      return <LinesChoice options={question.options} onChange={(lines) => onChange({ lines })} />
    case 'rows':
      return <RowsChoice options={question.options} columns={columns} onChange={(rows) => onChange({ rows })} />
    case 'json':
      return <JsonChoice options={question.options} onChange={(json) => onChange({ json })} />
    default:
      return unreachable(question)
  }
}

interface Choice<Mode extends keyof AllOptions> {
  readonly options: AllOptions[Mode]
  readonly onChange: (options: AllOptions[Mode]) => void
}

function LinesChoice({ options, onChange }: Choice<'lines'>): ReactElement {
  const flag = (name: keyof AllOptions['lines'], words: string) => (
    <Check checked={options[name]} onChange={(event) => onChange({ ...options, [name]: event.currentTarget.checked })}>
      {words}
    </Check>
  )
  return (
    <div className="try-options">
      {flag('trim', 'Trim lines')}
      {flag('ignoreCase', 'Ignore case')}
      {flag('dropEmpty', 'Drop empty lines')}
    </div>
  )
}

function JsonChoice({ options, onChange }: Choice<'json'>): ReactElement {
  return (
    <div className="try-options">
      <label className="try-inline">
        <span className="field-label">Compare by path</span>
        <input
          className="input input-small input-mono"
          value={options.key}
          placeholder="the whole item"
          spellcheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
      </label>
      <span className="field-hint">Dots lead inwards, as in user.id</span>
    </div>
  )
}

function RowsChoice(props: Choice<'rows'> & { readonly columns: readonly string[] }): ReactElement {
  const { options, columns, onChange } = props
  const flag = (name: 'hasHeader' | 'caseSensitive' | 'fuzzy', words: string, disabled = false) => (
    <Check
      checked={options[name]}
      disabled={disabled}
      onChange={(event) => onChange({ ...options, [name]: event.currentTarget.checked })}
    >
      {words}
    </Check>
  )
  return (
    <>
      <div className="try-options">
        {flag('hasHeader', 'First row is a header')}
        {flag('caseSensitive', 'Case sensitive', options.fuzzy)}
        {flag('fuzzy', 'Fuzzy')}
        {options.fuzzy && (
          <Threshold value={options.threshold} onChoose={(threshold) => onChange({ ...options, threshold })} />
        )}
      </div>
      {options.fuzzy && (
        <p className="try-advice field-hint">
          For person names 0.85 to 0.92 finds most spellings and little else, when you compare by the name columns
          alone. With dates or house numbers among them, stay at 0.92 or above.
        </p>
      )}
      {columns.length > 1 && (
        <Columns
          columns={columns}
          chosen={options.keyColumns}
          onChoose={(keyColumns) => onChange({ ...options, keyColumns })}
        />
      )}
    </>
  )
}

const PRESETS = [
  { value: 0.95, title: 'Strict' },
  { value: 0.9, title: 'Usual' },
  { value: 0.85, title: 'Loose' },
] as const

function Threshold({ value, onChoose }: { value: number; onChoose: (value: number) => void }): ReactElement {
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">Similarity from which two rows are duplicates</legend>
      {PRESETS.map((preset) => (
        <label key={preset.value} className={classes('chip', preset.value === value && 'chip-on')}>
          <input
            type="radio"
            name="threshold"
            className="visually-hidden"
            checked={preset.value === value}
            onChange={() => onChoose(preset.value)}
          />
          {preset.title} <span className="number">{preset.value}</span>
        </label>
      ))}
      <input
        className="input input-small try-threshold"
        type="number"
        aria-label="Threshold"
        min={0.5}
        max={1}
        step={0.01}
        value={value}
        onChange={({ currentTarget }) =>
          currentTarget.validity.valid && currentTarget.value !== '' && onChoose(currentTarget.valueAsNumber)
        }
      />
    </fieldset>
  )
}

/** Wide files have hundreds of columns; a page of chips is enough to choose from. */
const SHOWN_COLUMNS = 60

interface ColumnsProps {
  readonly columns: readonly string[]
  readonly chosen: readonly number[]
  readonly onChoose: (columns: readonly number[]) => void
}

function Columns({ columns, chosen, onChoose }: ColumnsProps): ReactElement {
  const toggle = (column: number): void =>
    onChoose(
      chosen.includes(column) ? chosen.filter((other) => other !== column) : [...chosen, column].sort((a, b) => a - b),
    )
  const titles = columns
    .slice(0, SHOWN_COLUMNS)
    .map((title, column) => ({ title: title || `Column ${column}`, column }))
  return (
    <fieldset className="chips try-columns">
      <legend className="field-label">Compare by</legend>
      <label className={classes('chip', chosen.length === 0 && 'chip-on')}>
        <input
          type="checkbox"
          className="visually-hidden"
          checked={chosen.length === 0}
          onChange={() => onChoose([])}
        />
        Whole row
      </label>
      {titles.map(({ title, column }) => (
        <label key={column} className={classes('chip', chosen.includes(column) && 'chip-on')}>
          <input
            type="checkbox"
            className="visually-hidden"
            checked={chosen.includes(column)}
            onChange={() => toggle(column)}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
