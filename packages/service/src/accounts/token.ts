import { createHash } from 'node:crypto'

/** What is stored in place of a token (specification 2.5): its SHA-256 as 64 hexadecimal digits. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
