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

/** Every option of a request's mode, defaults in their places. */
export interface ReadOptions<M extends Mode> {
  readonly kind: 'options'
  readonly values: OptionsOf<M>
}

const { threshold: THRESHOLD } = MODE_SPECS.rows.options

/**
 * The options of a request (specification 2.2), or the first fault in them: two that every mode looks for, then
 * wrong types in the order of the options. An option that is null is absent.
 * @param text the member `options` as JSON text, undefined when there is none
 */
export function readOptions<M extends Mode>(mode: M, text: string | undefined): ReadOptions<M> | Refusal {
  const given: unknown = text === undefined ? null : JSON.parse(text)
  const members = isObject(given) ? given : {}
  const { fuzzy, threshold } = members
  // Anything but false and null counts as asking, where there is nothing to be had.
  if (mode !== 'rows' && fuzzy !== undefined && fuzzy !== null && fuzzy !== false) return refuse.fuzzyOutsideRows()
  // Null is not a number: the one option whose null is not absence.
  if (threshold !== undefined && !isValueOf(THRESHOLD, threshold)) return refuse.badOption('threshold', THRESHOLD)
  if (given !== null && !isObject(given)) return refuse.badOptions()
  const values: Record<string, unknown> = {}
  for (const [name, option] of optionsOf(mode)) {
    const member = members[name]
    if (member === undefined || member === null) continue
    const value = option.type === 'integers' ? exactIntegers(member, { name, text: text ?? '' }) : member
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
 * Integers are told by their text: in doubles 1e400 is not one, and 1.0000000000000000001 is.
 * @returns undefined when one is none
 */
function exactIntegers(value: unknown, { name, text }: { readonly name: string; readonly text: string }): unknown {
  if (!/\d[.eE]/.test(text)) return value
  // Only the latest Node.js tells the text of a number that it parses: as a string it is kept.
  const asStrings: unknown = JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? token : `"${token}"`)),
  )
  const numbers: unknown = isObject(asStrings) ? asStrings[name] : undefined
  if (!Array.isArray(value) || !Array.isArray(numbers)) return value
  if (!numbers.every((number) => isInteger(String(number)))) return undefined
  return value.map((number) => (number === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : number))
}

/** Is the exact value of a JSON number whole? */
function isInteger(text: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/0+$/, '')
  const zerosCut = whole.length + fraction.length - digits.length
  return digits === '' || Number(exponent) - fraction.length + zerosCut >= 0
}
