/**
 * A whole number with its thousands apart: `1,234,567`. The platform's own formatter says the same, and loads tables of
 * all languages first, which a phone takes a tenth of a second for.
 */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
