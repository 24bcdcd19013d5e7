import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PendingFile } from '../../src/store/pending-file.ts'

const KEEP = fileURLToPath(new URL('../support/keeping-process.mjs', import.meta.url))

/** Keeps a thousand refunds in a file that may have this many KB. */
function keep(file: string, kilobytes: number | 'unlimited'): string {
  const line = `ulimit -f ${kilobytes} && exec "$0" "$@"`
  return spawnSync('bash', ['-c', line, process.execPath, KEEP, file], { encoding: 'utf8' }).stdout
}

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), 'keepfirst-pending-')), 'pending')
}

test('what cannot be written is kept in a file, whole or not at all, even if there is room for its beginning', () => {
  const file = newPath()
  const printed = keep(file, 1)
  expect(existsSync(file)).toBe(false)
  expect(printed).toMatch(/^save this as PENDING_FILE /)
  expect(keep(file, 'unlimited')).toBe('')
  const kept = readFileSync(file, 'utf8')
  expect(JSON.parse(kept).notes.refunds).toHaveLength(1_000)
  expect(printed.endsWith(`: ${kept}`)).toBe(true)
})

test('a file that was corrected by hand is taken once; one that is not JSON is named, and left as it is', () => {
  const file = newPath()
  writeFileSync(file, '{\\"batches\\":[]}')
  expect(() => new PendingFile(file).take()).toThrow(`PENDING_FILE ${file}: is not JSON`)
  writeFileSync(file, '{"batches":[]}')
  expect(new PendingFile(file).take()).toEqual({ batches: [] })
  expect(new PendingFile(file).take()).toBeUndefined()
})
