import { withNoun } from '@keepfirst/protocol'

/*
 * Days and instants are ISO 8601 in UTC and are formatted from their text: the browser's formatters first load locale
 * data, which takes a fifth of a second on a phone.
 */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const nameOfMonth = (iso: string): string => MONTHS[Number(iso.slice(5, 7)) - 1] ?? ''

/** 1.5K: few digits, for charts */
export const shortNumber = (value: number): string =>
  value >= 1_000_000 ? `${value / 1_000_000}M` : value >= 1_000 ? `${value / 1_000}K` : String(value)
/** 28 Nov */
export const shortDay = (iso: string): string => `${Number(iso.slice(8, 10))} ${nameOfMonth(iso).slice(0, 3)}`
/** 28 Nov 2026 */
export const day = (iso: string): string => `${shortDay(iso)} ${iso.slice(0, 4)}`
/** November 2026 */
export const monthName = (month: string): string => `${nameOfMonth(month)} ${month.slice(0, 4)}`
/** 28 Nov, 05:31:07 */
export const instant = (iso: string): string => `${shortDay(iso)}, ${iso.slice(11, 19)}`

/** A duration as people say it, rounded up. */
export function duration(seconds: number): string {
  return seconds < 120 ? withNoun(seconds, 'second') : withNoun(Math.ceil(seconds / 60), 'minute')
}

/** How long ago, roughly; the day itself if it was long ago. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1_000)
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return `${withNoun(Math.floor(seconds / 60), 'minute')} ago`
  if (seconds < 86_400) return `${withNoun(Math.floor(seconds / 3_600), 'hour')} ago`
  if (seconds < 30 * 86_400) return `${withNoun(Math.floor(seconds / 86_400), 'day')} ago`
  return day(iso)
}

/** Whole days from now, as `today`, `within a day` or `in 3 days`. */
export function inDays(iso: string, now: number): string {
  const left = Math.ceil((Date.parse(iso) - now) / 86_400_000)
  if (left <= 0) return 'today'
  return left === 1 ? 'within a day' : `in ${left} days`
}
