import { type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'

/** Structured lines on standard output. No line holds a token, a payload, a network address or a submitted email. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** One JSON object a line: level, time, message and fields. */
export function createLog(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
