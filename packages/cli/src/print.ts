import { writeSync } from 'node:fs'
import { BrokenPipe, codeOf, explain } from './errors.ts'

export const STANDARD_OUTPUT = 1
export const STANDARD_ERROR = 2
const RETRY_MS = 5

/**
 * Writes all of the bytes.
 * @param name the destination's name in messages
 * @throws UserError when writing fails
 * @throws BrokenPipe when the output has been closed
 */
export function writeAll(fd: number, name: string, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EPIPE') throw new BrokenPipe()
      if (code !== 'EAGAIN') throw explain(error, name)
      // The other end made the pipe non-blocking: wait until it has read something.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

/**
 * Prints a result to standard output.
 * @throws UserError when writing fails
 * @throws BrokenPipe when the output has been closed
 */
export function print(text: string): void {
  writeAll(STANDARD_OUTPUT, 'standard output', Buffer.from(text))
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Text that cannot break a line or command a terminal: control characters, which names may contain, are escaped. */
export function onOneLine(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/**
 * Prints a message to standard error.
 * @throws UserError when writing fails
 * @throws BrokenPipe when the output has been closed
 */
export function printError(text: string): void {
  writeAll(STANDARD_ERROR, 'standard error', Buffer.from(text))
}
