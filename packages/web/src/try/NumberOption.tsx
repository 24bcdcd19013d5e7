import { type ReactElement, useState } from 'preact/compat'
import { useUniqueId } from '../design/index.ts'

interface NumberOptionProps {
  readonly title: string
  readonly value: number
  readonly minimum: number
  readonly maximum: number
  /** Likely values with their names. */
  readonly presets?: readonly { readonly value: number; readonly title: string }[]
  readonly onChange: (value: number) => void
}

/** A number to type or pick. The text stays as typed and takes effect once it is a number within the bounds. */
export function NumberOption({
  title,
  value,
  minimum,
  maximum,
  presets = [],
  onChange,
}: NumberOptionProps): ReactElement {
  const [typed, setTyped] = useState(String(value))
  const id = useUniqueId()
  const isValid = numberIn(typed, minimum, maximum) !== undefined
  const take = (text: string): void => {
    setTyped(text)
    const number = numberIn(text, minimum, maximum)
    if (number !== undefined) onChange(number)
  }
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{title}</legend>
      {presets.map((preset) => (
        <label key={preset.value} className={preset.value === value ? 'chip chip-on' : 'chip'}>
          <input
            type="radio"
            name={id}
            className="visually-hidden"
            checked={preset.value === value}
            onChange={() => take(String(preset.value))}
          />
          {preset.title} <span className="number">{preset.value}</span>
        </label>
      ))}
      <input
        className="input input-small try-number"
        aria-label={title}
        aria-invalid={!isValid}
        aria-describedby={`${id}-error`}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      <span id={`${id}-error`} className="field-error" role="status">
        {isValid ? '' : `Not a number from ${minimum} to ${maximum}; ${value} is still in effect.`}
      </span>
    </fieldset>
  )
}

/** Parses a number within the bounds; a decimal comma is accepted too. */
export function numberIn(text: string, minimum: number, maximum: number): number | undefined {
  const trimmed = text.trim().replace(',', '.')
  const number = /^\d*\.?\d+$|^\d+\.$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return number >= minimum && number <= maximum ? number : undefined
}
