import { codeOf } from '@keepfirst/cli/errors'

/** The SQLSTATE of an error from PostgreSQL; recognised by its form, so that SQLite's users need not load the driver. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error)
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
