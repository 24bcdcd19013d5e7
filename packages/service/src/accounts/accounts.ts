import { FIELD_LIMITS } from '@keepfirst/protocol'
import type { Account } from '../store/store.ts'
import { instant } from './instant.ts'

/**
 * An account's address in lower case without surrounding white space, or undefined if it cannot be an address. It only
 * has to be readable with one @ between two parts, since the product sends no mail.
 */
export function accountEmail(typed: string): string | undefined {
  const email = typed.trim().toLowerCase()
  if (email.length > FIELD_LIMITS.email || /[\s\p{Cc}\p{Cs}]/u.test(email)) return undefined
  return /^[^@]+@[^@]+$/u.test(email) ? email : undefined
}

/** An account as the command line and the export show it, with times as ISO 8601 text. */
export function accountAsJson({ id, email, plan, createdAt, madeBy, claimedAt }: Account): object {
  return { id, email, plan, createdAt: instant(createdAt), madeBy, claimedAt: instant(claimedAt) }
}
