import { type OptionSpec, optionsOf } from '@keepfirst/protocol'
import { Fragment, type ReactElement } from 'preact/compat'
import { Check } from '../design/index.ts'
import { ColumnsOption } from './ColumnsOption.tsx'
import { NumberOption } from './NumberOption.tsx'
import { isFuzzy, type Question, SEPARATOR_NAMES, SEPARATORS, type Separator } from './question.ts'

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
  const inLine = shown.filter(([, { type }]) => type !== 'integers')
  const controls = (options: typeof shown) =>
    options.map(([name, option]) => (
      <Fragment key={name}>
        <Control
          {...{ name, option, columns, areColumnsCurrent }}
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
      {isFuzzy(question) && (
        <p className="try-advice field-hint">
          For personal names, 0.85 to 0.92 finds most spellings and little else, if you compare by only the name
          columns. If the key includes dates or house numbers, stay at 0.92 or above.
        </p>
      )}
      {controls(shown.filter(([, { type }]) => type === 'integers'))}
    </>
  )
}

/** Likely values with their names. */
const PRESETS: Record<string, readonly { readonly value: number; readonly title: string }[]> = {
  threshold: [
    { value: 0.95, title: 'Strict' },
    { value: 0.9, title: 'Default' },
    { value: 0.85, title: 'Loose' },
  ],
}

/** What to enter, where the title does not say. */
const HINTS: Record<string, { readonly placeholder: string; readonly hint: string }> = {
  key: { placeholder: 'the whole item', hint: 'Dots lead to nested members, as in user.id' },
}

interface ControlProps {
  readonly name: string
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
  const { name, option, columns, areColumnsCurrent, value, isIdle, onChoose } = props
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
      return (
        <NumberOption
          {...option}
          value={typeof value === 'number' ? value : option.default}
          presets={PRESETS[name] ?? []}
          onChange={onChoose}
        />
      )
    case 'string':
      return (
        <TextOption
          title={option.title}
          {...HINTS[name]}
          value={typeof value === 'string' ? value : ''}
          onChange={onChoose}
        />
      )
    case 'integers':
      return (
        <ColumnsOption
          title={option.title}
          columns={columns}
          areCurrent={areColumnsCurrent}
          chosen={Array.isArray(value) ? value.filter((column) => typeof column === 'number') : []}
          onChoose={onChoose}
        />
      )
  }
}

interface TextOptionProps {
  readonly title: string
  readonly placeholder?: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function TextOption({ title, placeholder, hint, value, onChange }: TextOptionProps): ReactElement {
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
      {hint && <span className="field-hint">{hint}</span>}
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
