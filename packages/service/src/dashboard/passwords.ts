import { dictionary } from '@zxcvbn-ts/language-common'

/** Some 50,000 common passwords from leaked lists, in lower case. Read once, on first use. */
let common: ReadonlySet<string> | undefined

/** A password with fewer distinct characters than this is a pattern, at any length: `00000000`, `12341234`. */
const MIN_DISTINCT = 5

/**
 * Whether a password is easily guessed: a common one (ignoring case), a pattern, or the user's own address (NIST SP
 * 800-63B-4, 3.1.1.2). Checked locally.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const plain = password.toLowerCase()
  common ??= new Set(dictionary['passwords-common'])
  const isOfAddress = plain === email.toLowerCase() || plain === email.toLowerCase().split('@')[0]
  return common.has(plain) || isOfAddress || isPattern(plain)
}

/** Few distinct characters, or each the neighbour of the one before: `abcdefgh`, `87654321`. */
function isPattern(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, i) => point - (points[i] ?? 0)))
  const [step] = steps
  return new Set(points).size < MIN_DISTINCT || (steps.size === 1 && (step === 1 || step === -1))
}
