import { type Mode, type OptionSpec, optionsOf, unreachable, wholeEntry } from '@keepfirst/protocol'
import { Fragment, type ReactElement } from 'preact/compat'
import { Check } from '../design/index.ts'
import { ColumnsOption } from './ColumnsOption.tsx'
import { NumberOption } from './NumberOption.tsx'
import { type Question, SEPARATOR_NAMES, SEPARATORS, type Separator } from './question.ts'

interface OptionsProps {
  readonly question: Question
  /** Column titles of the current list. */
  readonly columns: readonly string[]
  /** Whether the columns of the current list are known yet; until then these are the previous list's. */
  readonly areColumnsCurrent: boolean
  readonly separator: Separator
  /** Sets one option. */
  readonly onChange: (name: string, value: unknown) => void
  readonly onSeparate: (separator: Separator) => void
}

/** The API's options for the current mode, named as in its table, and how this page reads rows. */
export function Options(props: OptionsProps): ReactElement {
  const { question, columns, areColumnsCurrent, separator, onChange, onSeparate } = props
  const { mode } = question
  const values = new Map<string, unknown>(Object.entries(question.options))
  const isOn = (name: string | undefined): boolean => name !== undefined && values.get(name) === true
  const shown = optionsOf(mode).filter(([, { onlyWith }]) => onlyWith === undefined || isOn(onlyWith))
  // Columns get a row of their own, below the others.
  const inLine = shown.filter(([, { type }]) => type !== 'columns')
  const controls = (options: typeof shown) =>
    options.map(([name, option]) => (
      <Fragment key={name}>
        <Control
          {...{ mode, option, columns, areColumnsCurrent }}
          value={values.get(name)}
          isIdle={isOn(option.notWith)}
          onChoose={(value) => onChange(name, value)}
        />
      </Fragment>
    ))
  return (
    <>
      <div className="try-options">
        {controls(inLine)}
        {mode === 'rows' && <Separators separator={separator} onSeparate={onSeparate} />}
      </div>
      {shown.map(
        ([name, { advice }]) =>
          advice && (
            <p key={name} className="try-advice field-hint">
              {advice}
            </p>
          ),
      )}
      {controls(shown.filter(([, { type }]) => type === 'columns'))}
    </>
  )
}

interface ControlProps {
  readonly mode: Mode
  readonly option: OptionSpec
  readonly columns: readonly string[]
  readonly areColumnsCurrent: boolean
  readonly value: unknown
  /** Whether another option overrides it. */
  readonly isIdle: boolean
  readonly onChoose: (value: unknown) => void
}

/** The control for an option's type. */
function Control(props: ControlProps): ReactElement | null {
  const { mode, option, columns, areColumnsCurrent, value, isIdle, onChoose } = props
  switch (option.type) {
    case 'boolean':
      return (
        <Check
          checked={value === true}
          disabled={isIdle}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        >
          {option.title}
        </Check>
      )
    case 'number':
      return <NumberOption {...option} value={typeof value === 'number' ? value : option.default} onChange={onChoose} />
    case 'path':
      return (
        <PathOption
          title={option.title}
          placeholder={wholeEntry(mode)}
          value={typeof value === 'string' ? value : ''}
          onChange={onChoose}
        />
      )
    case 'columns':
      return (
        <ColumnsOption
          title={option.title}
          whole={wholeEntry(mode)}
          columns={columns}
          areCurrent={areColumnsCurrent}
          chosen={Array.isArray(value) ? value.filter((column) => typeof column === 'number') : []}
          onChoose={onChoose}
        />
      )
    default:
      return unreachable(option)
  }
}

interface PathOptionProps {
  readonly title: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function PathOption({ title, placeholder, value, onChange }: PathOptionProps): ReactElement {
  return (
    <>
      <label className="try-inline">
        <span className="field-label">{title}</span>
        <input
          className="input input-small input-mono"
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <span className="field-hint">Dots lead to nested members, as in user.id</span>
    </>
  )
}

/** The API accepts only commas, so this is not a request option but a way to read the current list. */
function Separators({ separator, onSeparate }: Pick<OptionsProps, 'separator' | 'onSeparate'>): ReactElement {
  return (
    <label className="try-inline">
      <span>Separated by</span>
      <select
        className="input input-small try-separator"
        value={separator}
        onChange={({ currentTarget }) => {
          const chosen = SEPARATORS.find((each) => each === currentTarget.value)
          if (chosen) onSeparate(chosen)
        }}
      >
        {SEPARATORS.map((each) => (
          <option key={each} value={each}>
            {SEPARATOR_NAMES[each]}
          </option>
        ))}
      </select>
    </label>
  )
}
