import {
  canonicalNumber,
  itemsOf,
  itemValue,
  type JsonValue,
  kindOf,
  membersOf,
  stringOf,
  textOf,
} from '@keepfirst/engine'
import {
  completeOptions,
  isValueOf,
  MODE_SPECS,
  MODES,
  type Mode,
  type OptionSpec,
  type OptionsOf,
  optionsOf,
  type Refusal,
  refuse,
  unreachable,
} from '@keepfirst/protocol'

/** Every option of a request's mode, defaults in their places. */
export interface ReadOptions<M extends Mode> {
  readonly kind: 'options'
  readonly values: OptionsOf<M>
}

const NAMES: ReadonlySet<string> = new Set(MODES.flatMap((mode) => optionsOf(mode).map(([name]) => name)))
const { threshold: THRESHOLD } = MODE_SPECS.rows.options

/**
 * The options of a request (specification 2.2), or the first fault in them: two that every mode looks for, then
 * wrong types in the order of the options. An option that is null is absent.
 */
export function readOptions<M extends Mode>(mode: M, options: JsonValue | undefined): ReadOptions<M> | Refusal {
  const given = options !== undefined && kindOf(options) !== 'null' ? options : undefined
  const isObject = given !== undefined && kindOf(given) === 'object'
  const members: ReadonlyMap<string, JsonValue> = isObject ? membersOf(given, NAMES) : new Map()
  if (mode !== 'rows' && asksFor(members.get('fuzzy'))) return refuse.fuzzyOutsideRows()
  const threshold = members.get('threshold')
  // Null is not a number: the one option whose null is not absence.
  if (threshold !== undefined && !isValueOf(THRESHOLD, readValue(THRESHOLD, threshold)))
    return refuse.badOption('threshold', THRESHOLD)
  if (given !== undefined && !isObject) return refuse.badOptions()
  return readMembers(mode, members)
}

function readMembers<M extends Mode>(mode: M, members: ReadonlyMap<string, JsonValue>): ReadOptions<M> | Refusal {
  const given: Record<string, unknown> = {}
  for (const [name, option] of optionsOf(mode)) {
    const member = members.get(name)
    if (member === undefined || kindOf(member) === 'null') continue
    given[name] = readValue(option, member)
    if (!isValueOf(option, given[name])) return refuse.badOption(name, option)
  }
  return { kind: 'options', values: completeOptions(mode, given) }
}

/** Anything but false and null counts as asking, where there is nothing to be had. */
function asksFor(fuzzy: JsonValue | undefined): boolean {
  return fuzzy !== undefined && kindOf(fuzzy) !== 'null' && textOf(fuzzy) !== 'false'
}

/** What a JSON text says in the option's type, or undefined when it is of another one. */
function readValue(option: OptionSpec, value: JsonValue): boolean | number | string | readonly number[] | undefined {
  const kind = kindOf(value)
  switch (option.type) {
    case 'boolean':
      return kind === 'boolean' ? textOf(value) === 'true' : undefined
    case 'number':
      return kind === 'number' ? Number(textOf(value)) : undefined
    case 'string':
      return kind === 'string' ? stringOf(value) : undefined
    case 'integers':
      return kind === 'array' ? integersOf(value) : undefined
    default:
      return unreachable(option)
  }
}

/** The whole numbers of an array (`1.0` and `1e0` are 1), or undefined when one of its items is not one from 0 on. */
function integersOf(array: JsonValue): number[] | undefined {
  const items = itemsOf(array)
  const integers: number[] = []
  for (let item = 0; item < items.count; item += 1) {
    const value = itemValue(items, item)
    const number = kindOf(value) === 'number' ? canonicalNumber(textOf(value)) : ''
    // Decided on the exact value: in doubles 1e400 is not an integer, and 1.0000000000000000001 is one.
    if (!/^(?:[0-9]+|0\.[0-9]+e[0-9]+)$/.test(number)) return undefined
    integers.push(Number(number))
  }
  return integers
}
