/** This many random bytes, from a source fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array

/** 96 bits: no two instances ever draw the same ones. */
const INSTANCE_BYTES = 12

/** Makes identifiers that nobody else makes: what this instance drew once, and a count. */
export function identifiers(randomBytes: RandomBytes): () => string {
  const instance = Buffer.from(randomBytes(INSTANCE_BYTES)).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${instance}${count.toString(36)}`
  }
}
