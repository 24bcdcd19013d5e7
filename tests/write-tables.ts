/*
 * Rewrites the tables in the documents from the code (`npm run tables`).
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './support/server.ts'
import { withTables } from './support/tables.ts'

for (const name of execFileSync('git', ['ls-files', '*.md'], { cwd: REPOSITORY, encoding: 'utf8' })
  .trim()
  .split('\n')) {
  const file = join(REPOSITORY, name)
  const text = readFileSync(file, 'utf8')
  const written = withTables(text)
  if (written !== text) writeFileSync(file, written)
}
