import { hash } from 'node:crypto'

/**
 * The SHA-256 of a secret, which is stored in its place, as 64 hexadecimal digits. Secrets here are random, so no salt
 * is needed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
