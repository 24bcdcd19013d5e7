import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

/** Structured lines on standard output. No line holds a token, a payload, a network address or a submitted email. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * Lines are written in blocks, which takes 2 µs of CPU off each. A block that does not fill is written when it is this
 * old; whatever is left is written when the process ends, unless it is killed.
 */
const BLOCK_BYTES = 4_096
const BLOCK_MS = 100

/** One JSON object a line: level, time, message and fields. Errors stand under `err`. */
export function createLog(level: LogLevel): Logger {
  const output = pino.destination({ fd: 1, sync: false, minLength: BLOCK_BYTES, periodicFlush: BLOCK_MS })
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
}

/**
 * What an error says of itself and of its causes, and no more: libraries hang what they worked on beside it
 * (a row's values on a database error, what was read on a parser's).
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { type: name, message, ...code, stack, ...cause }
}
