import { closeSync, openSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { explain, UserError } from '@keepfirst/cli/errors'
import type { Config } from '../config.ts'
import { openForReading } from '../store/sqlite-driver.ts'

/**
 * `keepfirst backup`: copies a snapshot of the embedded database into a new file, readable only by this user, while the
 * server keeps writing.
 * @param file resolved against the folder in which the command was called
 * @throws UserError when the database is PostgreSQL, the file already exists, or the copy fails
 */
export function backup({ databaseUrl }: Pick<Config, 'databaseUrl'>, file: string): void {
  if (!databaseUrl.startsWith('sqlite:')) throw new UserError('PostgreSQL is backed up with pg_dump')
  const copy = resolve(process.env.INIT_CWD ?? process.cwd(), file)
  try {
    closeSync(openSync(copy, 'wx', 0o600))
  } catch (error) {
    throw explain(error, copy)
  }
  try {
    const database = openForReading(databaseUrl.slice('sqlite:'.length))
    database.prepare('vacuum into ?').run(copy)
    database.close()
  } catch (error) {
    rmSync(copy, { force: true })
    throw new UserError(`the backup failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}
