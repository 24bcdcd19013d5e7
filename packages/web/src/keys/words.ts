import { FIELD_LIMITS, grouped } from '@keepfirst/protocol'
import { Trouble } from './api.ts'

/** Why something did not work, and what to do about it. */
export function troubleInWords(error: unknown): string {
  const problem = error instanceof Trouble ? error.problem : 'unreachable'
  if (problem === 'wrong password') return 'That is not your password.'
  if (problem === 'unreachable') return 'The server could not be reached. Check your connection and try again.'
  switch (problem.error) {
    case 'invalid input':
      return 'The server did not accept this. Check what you typed and try again.'
    case 'common password':
      return 'This password is easy to guess. Choose another one.'
    case 'export under way':
      return 'Another of your downloads is in progress. Wait for it to finish.'
    case 'signed out':
      return 'Your session has ended. Sign in again.'
    case 'wrong credentials':
      return 'Email and password do not match an account.'
    case 'sign-up closed':
      return 'New accounts are created by the operator of this server.'
    case 'foreign origin':
      return 'This page was opened at a different address than the server expects. Open it at its own address.'
    case 'not found':
      return 'It no longer exists. Reload the page.'
    case 'key limit':
      return 'All active keys of your plan are in use. Revoke one first.'
    case 'link expired':
      return 'This link has been used, was replaced by a newer one, or is older than a day. Ask for a new one.'
    case 'too many attempts':
      return `Too many attempts. Try again in ${duration(problem.retryAfter ?? 60)}.`
    case 'busy':
      return 'The server is busy. Try again in a moment.'
    default:
      return 'Something went wrong on the server. Try again in a moment.'
  }
}

/** What is kept after an account is deleted, and why. */
export const WHAT_STAYS =
  'Only daily totals of units are kept, without a name or key, because the operator needs to know how much the server did.'

export function emailError(email: string): string | undefined {
  return /^\S+@\S+\.\S+$/.test(email) && email.length <= FIELD_LIMITS.email ? undefined : 'Enter an email address.'
}

export function newPasswordError(password: string): string | undefined {
  if (password.length < FIELD_LIMITS.passwordLeast) return `Use at least ${FIELD_LIMITS.passwordLeast} characters.`
  if (password.length > FIELD_LIMITS.passwordMost) return `Use at most ${FIELD_LIMITS.passwordMost} characters.`
  return undefined
}

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

/** 1,234 */
export const number = grouped
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

/** 1 key, 2 keys */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

/** A duration as people say it, rounded up. */
function duration(seconds: number): string {
  return seconds < 120 ? count(seconds, 'second') : count(Math.ceil(seconds / 60), 'minute')
}

/** How long ago, roughly; the day itself if it was long ago. */
export function ago(iso: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1_000)
  if (seconds < 60) return 'just now'
  if (seconds < 3_600) return `${count(Math.floor(seconds / 60), 'minute')} ago`
  if (seconds < 86_400) return `${count(Math.floor(seconds / 3_600), 'hour')} ago`
  if (seconds < 30 * 86_400) return `${count(Math.floor(seconds / 86_400), 'day')} ago`
  return day(iso)
}

/** Whole days from now, as `today`, `within a day` or `in 3 days`. */
export function inDays(iso: string, now: number): string {
  const left = Math.ceil((Date.parse(iso) - now) / 86_400_000)
  if (left <= 0) return 'today'
  return left === 1 ? 'within a day' : `in ${left} days`
}
