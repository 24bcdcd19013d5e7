/** Returns this many random bytes, fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array

/** 96 bits: no two instances ever draw the same ones. */
const INSTANCE_BYTES = 12

/** Creates globally unique identifiers: random bytes drawn once by this instance, plus a count. */
export function identifiers(randomBytes: RandomBytes): () => string {
  const instance = Buffer.from(randomBytes(INSTANCE_BYTES)).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${instance}${count.toString(36)}`
  }
}
