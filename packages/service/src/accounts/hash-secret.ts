import { createHash } from 'node:crypto'

/** What is stored of a secret in its place: its SHA-256, 64 hexadecimal digits. Secrets here are random, so it needs no salt. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
