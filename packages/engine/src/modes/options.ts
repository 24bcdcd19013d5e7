import { checkedThreshold } from '../fuzzy/threshold.ts'

/**
 * The options that a caller gave. As in a request, one that is undefined or null counts as absent and takes its
 * default.
 */
export class GivenOptions {
  readonly #values: ReadonlyMap<string, unknown>

  /** @throws TypeError when this is not an object */
  constructor(given: object) {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new TypeError('options must be an object')
    this.#values = new Map<string, unknown>(Object.entries(given))
  }

  /** @throws TypeError when the option is not a boolean */
  boolean(name: string, preset: boolean): boolean {
    const value = this.#values.get(name) ?? preset
    if (typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean`)
    return value
  }

  /** @throws TypeError when the option is not a string */
  string(name: string, preset: string): string {
    const value = this.#values.get(name) ?? preset
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`)
    return value
  }

  /** @throws TypeError when `keyColumns` are not column numbers */
  keyColumns(): readonly number[] {
    return checkedColumns(this.#values.get('keyColumns') ?? [])
  }

  /**
   * The only option for which null does not mean absent.
   * @throws TypeError when `threshold` is not a number between 0.5 and 1
   */
  threshold(preset: number): number {
    const value = this.#values.get('threshold')
    return checkedThreshold(value === undefined ? preset : value)
  }
}

/** @throws TypeError when the value is not an array of column numbers */
export function checkedColumns(value: unknown): readonly number[] {
  // As a new array, because `every` skips holes.
  if (!Array.isArray(value) || !Array.from(value).every(isColumn))
    throw new TypeError('keyColumns must be an array of integers, each 0 or greater')
  return value
}

function isColumn(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}
