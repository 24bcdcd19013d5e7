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
import { type Mode, type Refusal, refuse } from '@keepfirst/protocol'

const FLAGS = ['trim', 'ignoreCase', 'dropEmpty', 'hasHeader', 'caseSensitive', 'fuzzy'] as const
const NAMES: ReadonlySet<string> = new Set([...FLAGS, 'keyColumns', 'threshold', 'key'])

/**
 * The options of a request (specification 2.2), asked for one by one; each answers its value or its default.
 * An option that is null is absent. `refusal` holds the first fault found: the two that the specification
 * names are looked for at once and in every mode, the others when the option is asked for.
 */
export class Options {
  readonly #members: ReadonlyMap<string, JsonValue>
  refusal: Refusal | undefined

  constructor(options: JsonValue | undefined, mode: Mode) {
    const given = options !== undefined && kindOf(options) !== 'null' ? options : undefined
    const isObject = given !== undefined && kindOf(given) === 'object'
    this.#members = isObject ? membersOf(given, NAMES) : new Map()
    if (mode !== 'rows' && this.#asksForFuzzy()) this.refusal = refuse.fuzzyOutsideRows()
    else if (!this.#thresholdIsGood()) this.refusal = refuse.badThreshold()
    else if (given !== undefined && !isObject) this.refusal = refuse.badOptions()
  }

  flag(name: (typeof FLAGS)[number], otherwise: boolean): boolean {
    const value = this.#given(name)
    if (value === undefined) return otherwise
    if (kindOf(value) !== 'boolean') this.refusal ??= refuse.notBoolean(name)
    return textOf(value) === 'true'
  }

  /** A dot path; absent it is the empty one. */
  key(): string {
    const value = this.#given('key')
    if (value === undefined) return ''
    if (kindOf(value) === 'string') return stringOf(value)
    this.refusal ??= refuse.notString('key')
    return ''
  }

  /** Integers by value: `1.0` and `1e0` are 1. */
  keyColumns(): readonly number[] {
    const value = this.#given('keyColumns')
    if (value === undefined) return []
    const columns = kindOf(value) === 'array' ? columnsOf(value) : undefined
    if (columns === undefined) this.refusal ??= refuse.badKeyColumns()
    return columns ?? []
  }

  threshold(): number {
    const value = this.#members.get('threshold')
    return value === undefined ? 0.9 : Number(textOf(value))
  }

  #given(name: string): JsonValue | undefined {
    const value = this.#members.get(name)
    return value === undefined || kindOf(value) === 'null' ? undefined : value
  }

  /** Anything but false counts as asking, where there is nothing to be had. */
  #asksForFuzzy(): boolean {
    const fuzzy = this.#given('fuzzy')
    return fuzzy !== undefined && textOf(fuzzy) !== 'false'
  }

  /** Null is no number: the one option whose null is not absence. */
  #thresholdIsGood(): boolean {
    const value = this.#members.get('threshold')
    if (value === undefined) return true
    const threshold = kindOf(value) === 'number' ? Number(textOf(value)) : Number.NaN
    return threshold >= 0.5 && threshold <= 1
  }
}

/** The columns that an array names, or undefined when one of its items is no whole number from 0 on. */
function columnsOf(array: JsonValue): number[] | undefined {
  const items = itemsOf(array)
  const columns: number[] = []
  for (let item = 0; item < items.count; item += 1) {
    const value = itemValue(items, item)
    const number = kindOf(value) === 'number' ? canonicalNumber(textOf(value)) : ''
    // Decided on the exact value: in doubles 1e400 is no integer, and 1.0000000000000000001 is one.
    if (!/^(?:[0-9]+|0\.[0-9]+e[0-9]+)$/.test(number)) return undefined
    columns.push(Number(number))
  }
  return columns
}
