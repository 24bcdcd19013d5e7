/** RFC 5321, 4.5.3.1.3: a path of 256 octets holds two angle brackets. */
const EMAIL_CHARACTERS = 254

/**
 * An account's address, lower-cased and without the white space around it, or undefined when it can't be
 * one. No more is asked than that it has one @ between two parts and can be read: the product sends no mail.
 */
export function accountEmail(typed: string): string | undefined {
  const email = typed.trim().toLowerCase()
  if (email.length > EMAIL_CHARACTERS || /[\s\p{Cc}\p{Cs}]/u.test(email)) return undefined
  return /^[^@]+@[^@]+$/u.test(email) ? email : undefined
}
