import {
  completeOptions,
  isValueOf,
  MODE_SPECS,
  type Mode,
  type OptionsOf,
  optionsOf,
  type Refusal,
  refuse,
} from '@keepfirst/protocol'

/** A value for every option of a request's mode, with defaults filled in. */
export interface CheckedOptions<M extends Mode> {
  readonly kind: 'options'
  readonly values: OptionsOf<M>
}

const { threshold: THRESHOLD } = MODE_SPECS.rows.options

/**
 * The options of a request (specification 2.2), or the first error in them: two checks that apply to every mode, then
 * wrong types in the order of the options. An option that is null counts as absent.
 * @param text the member `options` as JSON text, undefined if there is none
 */
export function checkOptions<M extends Mode>(mode: M, text: string | undefined): CheckedOptions<M> | Refusal {
  const given: unknown = text === undefined ? null : JSON.parse(text)
  const members = isObject(given) ? given : {}
  const { fuzzy, threshold } = members
  // Outside rows mode, anything except false and null asks for fuzzy matching, which is not available there.
  if (mode !== 'rows' && fuzzy !== undefined && fuzzy !== null && fuzzy !== false) return refuse.fuzzyOutsideRows()
  // Null is not a number: this is the only option for which null does not mean absent.
  if (threshold !== undefined && !isValueOf(THRESHOLD, threshold)) return refuse.badOption('threshold', THRESHOLD)
  if (given !== null && !isObject(given)) return refuse.badOptions()
  const values: Record<string, unknown> = {}
  for (const [name, option] of optionsOf(mode)) {
    const member = members[name]
    if (member === undefined || member === null) continue
    const value = option.type === 'columns' ? exactIntegers(member, { name, text: text ?? '' }) : member
    if (!isValueOf(option, value)) return refuse.badOption(name, option)
    values[name] = value
  }
  return { kind: 'options', values: completeOptions(mode, values) }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Integers are recognised by their text, since as doubles 1e400 is not an integer and 1.0000000000000000001 is.
 * @returns undefined if any is not an integer
 */
function exactIntegers(value: unknown, { name, text }: { readonly name: string; readonly text: string }): unknown {
  if (!/\d[.eE]/.test(text)) return value
  // Only the latest Node.js passes the text of a number to the reviver; a string keeps it everywhere.
  const asStrings: unknown = JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? token : `"${token}"`)),
  )
  const numbers: unknown = isObject(asStrings) ? asStrings[name] : undefined
  if (!Array.isArray(value) || !Array.isArray(numbers)) return value
  if (!numbers.every((number) => isInteger(String(number)))) return undefined
  return value.map((number) => (number === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : number))
}

/** Whether the exact value of a JSON number is an integer. */
function isInteger(text: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/0+$/, '')
  const zerosCut = whole.length + fraction.length - digits.length
  return digits === '' || Number(exponent) - fraction.length + zerosCut >= 0
}
