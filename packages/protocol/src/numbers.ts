/**
 * Formats a whole number with thousands separators: `1,234,567`. The platform's own formatter gives the same text, but
 * first loads tables for all languages, which takes a tenth of a second on a phone.
 */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** A count with its noun: `1 key`, `2,000 keys`. */
export function withNoun(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}
