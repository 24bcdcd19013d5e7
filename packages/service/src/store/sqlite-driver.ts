import type { DatabaseSync as SqliteDatabase } from 'node:sqlite'

/**
 * SQLite is built into Node.js and not experimental from this version on. For earlier ones, a package provides the same
 * interface.
 */
const FIRST_WITH_SQLITE = 24
const hasSqlite = Number.parseInt(process.versions.node, 10) >= FIRST_WITH_SQLITE

const { DatabaseSync } = await (hasSqlite ? import('node:sqlite') : import('@keepfirst/sqlite'))

export type { SqliteDatabase }

/** How long to wait for another process's transaction. */
const BUSY_MS = 4_000

/** Opens an existing file read-only. */
export function openForReading(path: string, busyMs: number = BUSY_MS): SqliteDatabase {
  return new DatabaseSync(path, { timeout: busyMs, readOnly: true })
}

/** Opens a file for reading and writing, in the modes that the ledger relies on. */
export function openForWriting(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: BUSY_MS })
  database.exec('pragma journal_mode = WAL')
  // Durable at every commit: an answered admission survives a power cut.
  database.exec('pragma synchronous = FULL')
  // Deleted data is erased from the file too: hashes of network addresses do not outlive their row.
  database.exec('pragma secure_delete = ON')
  database.exec('pragma foreign_keys = ON')
  return database
}

/** SQLite's result code for malformed pages. */
export const CORRUPT = 11
/** SQLite's result code for a file of another kind. */
export const NOT_A_DATABASE = 26

/** The driver for older versions of Node.js omits the code of errors in `all`; these are the ones that matter. */
const CODES_OF_MESSAGES: ReadonlyMap<string, number> = new Map([
  ['database disk image is malformed', CORRUPT],
  ['file is not a database', NOT_A_DATABASE],
])

/** SQLite's extended result code; undefined if the error is not from SQLite. */
export function resultCodeOf(error: Error): number | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode
  return CODES_OF_MESSAGES.get(error.message)
}
