/**
 * Ends every switch over a union: if a member is forgotten, the code does not compile.
 * @throws Error when types were bypassed
 */
export function unreachable(value: never): never {
  throw new Error(`not a member of its union: ${String(value)}`)
}
