import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

/** Structured lines on standard output. They never contain tokens, payloads, network addresses or submitted emails. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * Lines are written in blocks, which saves 2 µs of CPU per line. A block that does not fill up is written after this
 * time; the remainder is written when the process ends, unless it is killed.
 */
const BLOCK_BYTES = 4_096
const BLOCK_MS = 100

/** One JSON object per line: level, time, message and fields. Errors are under `err`. */
export function createLog(level: LogLevel): Logger {
  const output = pino.destination({ fd: 1, sync: false, minLength: BLOCK_BYTES, periodicFlush: BLOCK_MS })
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    output,
  )
}

/**
 * Describes an error and its causes by name, message and stack only: libraries attach the data they worked on (a row's
 * values on a database error, the input on a parser's).
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = 'code' in error ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) }
  return { type: name, message, ...code, stack, ...cause }
}
