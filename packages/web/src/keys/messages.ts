import { FIELD_LIMITS } from '@keepfirst/protocol'
import { RequestError } from './api.ts'
import { duration } from './format.ts'

/** Why something did not work, and what to do about it. */
export function errorMessage(error: unknown): string {
  const problem = error instanceof RequestError ? error.problem : 'unreachable'
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
export const RETENTION_NOTICE =
  'Only daily totals of units are kept, without a name or key, because the operator needs to know how much work the server did.'

const EMAIL_ERROR = 'Enter an email address.'

/** What is wrong with the address of an account, which its operator may have chosen; undefined if nothing is. */
export function emailError(email: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= FIELD_LIMITS.email ? undefined : EMAIL_ERROR
}

/** What is wrong with an address to sign up with; undefined if nothing is. */
export function newEmailError(email: string): string | undefined {
  return /@.+\../.test(email) ? emailError(email) : EMAIL_ERROR
}

/** What is wrong with a new password; undefined if nothing is. */
export function newPasswordError(password: string): string | undefined {
  if (password.length < FIELD_LIMITS.passwordLeast) return `Use at least ${FIELD_LIMITS.passwordLeast} characters.`
  if (password.length > FIELD_LIMITS.passwordMost) return `Use at most ${FIELD_LIMITS.passwordMost} characters.`
  return undefined
}
