import type { Addresses } from '../email-validation/verdict.ts'

/**
 * Addresses in two buffers, including lone surrogates, to be passed between threads as bytes: receiving 25,000 strings
 * one by one would block the event loop for many milliseconds.
 */
export interface Packed {
  /** UTF-16 of all addresses, concatenated. */
  readonly text: Uint8Array
  /** Where each begins in `text`, plus the end of the last one. */
  readonly bounds: Uint32Array
}

/** Copies addresses into the two buffers. */
export function pack(emails: readonly string[]): Packed {
  const bounds = new Uint32Array(emails.length + 1)
  for (const [i, email] of emails.entries()) bounds[i + 1] = (bounds[i] ?? 0) + 2 * email.length
  return { text: Buffer.from(emails.join(''), 'utf16le'), bounds }
}

/** The addresses again; each string is created on demand. */
export function unpack({ text, bounds }: Packed): Addresses {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
  const length = bounds.length - 1
  return {
    length,
    slice(from = 0, to = length) {
      const ends = bounds.subarray(from + 1, to + 1)
      return Array.from(ends, (end, i) => bytes.toString('utf16le', bounds[from + i], end))
    },
  }
}

/** The bytes that they hold in memory. */
export function heldBytes({ text, bounds }: Packed): number {
  return text.buffer.byteLength + bounds.buffer.byteLength
}
