import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const KEEP = fileURLToPath(new URL('../support/keeping-process.mjs', import.meta.url))

/** Keeps a thousand refunds in a file that may have this many KB. */
function keep(file: string, kilobytes: number | 'unlimited'): string {
  const line = `ulimit -f ${kilobytes} && exec "$0" "$@"`
  return spawnSync('bash', ['-c', line, process.execPath, KEEP, file], { encoding: 'utf8' }).stdout
}

test('what cannot be written is kept in a file, whole or not at all, even if there is room for its beginning', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'keepfirst-pending-')), 'pending')
  const printed = keep(file, 1)
  expect(existsSync(file)).toBe(false)
  expect(printed).toMatch(/^save this as PENDING_FILE /)
  expect(keep(file, 'unlimited')).toBe('')
  const kept = readFileSync(file, 'utf8')
  expect(JSON.parse(kept).notes.refunds).toHaveLength(1_000)
  expect(printed.endsWith(`: ${kept}`)).toBe(true)
})
