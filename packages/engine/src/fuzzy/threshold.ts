/** @throws TypeError when the value is not a number between 0.5 and 1 */
export function checkedThreshold(value: unknown): number {
  if (typeof value !== 'number' || !(value >= 0.5 && value <= 1))
    throw new TypeError('threshold must be a number between 0.5 and 1')
  return value
}
