/** A time, in milliseconds since 1970, in ISO 8601; null if absent. */
export function instant(at: number): string
export function instant(at: number | null): string | null
export function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
