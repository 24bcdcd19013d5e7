import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from './support/server.ts'
import { withTables } from './support/tables.ts'

const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: REPOSITORY, encoding: 'utf8' }).trim().split('\n')

describe('tables in documents match the code (npm run tables writes them)', () => {
  test.each(DOCUMENTS)('%s', (name) => {
    const text = readFileSync(join(REPOSITORY, name), 'utf8')
    expect(text).toBe(withTables(text))
  })
})
