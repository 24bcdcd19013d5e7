import { dictionary } from '@zxcvbn-ts/language-common'

/** The passwords that guessers try first: some 50,000 of leaked lists, lower-case. Read once, when first asked for. */
let common: ReadonlySet<string> | undefined

/** Fewer different characters than this are a pattern, however long: `00000000`, `12341234`. */
const LEAST_DIFFERENT = 5

/**
 * Is this among the first passwords that a guesser tries: a common one, in whatever case, a pattern, or the
 * person's own address? (NIST SP 800-63B-4, 3.1.1.2.) Nothing leaves this machine.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const plain = password.toLowerCase()
  common ??= new Set(dictionary['passwords-common'])
  const isOfAddress = plain === email.toLowerCase() || plain === email.toLowerCase().split('@')[0]
  return common.has(plain) || isOfAddress || isPattern(plain)
}

/** Few different characters, or each the neighbour of the one before: `abcdefgh`, `87654321`. */
function isPattern(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, i) => point - (points[i] ?? 0)))
  const [step] = steps
  return new Set(points).size < LEAST_DIFFERENT || (steps.size === 1 && (step === 1 || step === -1))
}
