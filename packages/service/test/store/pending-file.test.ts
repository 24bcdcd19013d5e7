import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Unwritten } from '../../src/store/ledger.ts'
import type { Notes } from '../../src/store/notes.ts'
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

const completion = { status: 503, removed: null, durationMs: 7 }
const keyed = { kind: 'keyed', chargeId: 'charge', accountId: 'account', at: 1, units: 2 } as const
const keyless = { kind: 'keyless', client: 'hash', period: '2026-11-29', units: 3 } as const
const refusal = { at: 4, mode: null, rows: null, status: 429, durationMs: 5 }
const sum = { accountId: 'account', keyId: 'key', day: '2026-11-29', mode: '', status: 429, calls: 6, rows: 0 } as const
const notes: Notes = {
  completions: [{ ticket: keyed, completion: { status: 200, removed: 1, durationMs: 0.5 } }],
  refunds: [keyed, keyless].map((ticket) => ({ ticket, completion })),
  refusals: [{ ...refusal, holder: { keyId: 'key', accountId: 'account', plan: 'pro' } }],
  refusalSums: [sum, { ...sum, mode: 'validate' }],
  lastUses: [{ keyId: 'key', at: 8 }],
}
const unwritten: Unwritten = {
  notes,
  batches: [{ id: 'batch', at: 9, charges: [{ part: 'months', take: 0, ticket: keyed }], notes }],
}

test('what was kept is taken whole, and once', () => {
  const file = newPath()
  new PendingFile(file).keep(unwritten)
  expect(new PendingFile(file).take()).toEqual(unwritten)
  expect(new PendingFile(file).take()).toBeUndefined()
})

const kept = JSON.stringify(unwritten)
test.each([
  { name: 'escaped as in the log', text: JSON.stringify(kept).slice(1, -1), says: 'is not a JSON object' },
  { name: 'cut off', text: kept.slice(0, -9), says: 'is not a JSON object' },
  { name: 'empty', text: '', says: 'is not a JSON object' },
  { name: 'quoted', text: JSON.stringify(kept), says: 'is not a JSON object' },
  { name: 'null', text: 'null', says: 'is not a JSON object' },
  { name: 'in a list', text: `[${kept}]`, says: 'is not a JSON object' },
  { name: 'the whole line of the log', text: `{"level":50,"err":{"message":${JSON.stringify(kept)}}}`, says: 'notes' },
  { name: 'without a list', text: kept.replaceAll('"refunds"', '"refund"'), says: 'notes.refunds' },
  { name: 'without batches', text: JSON.stringify({ notes }), says: 'batches' },
  { name: 'a ticket of no kind', text: kept.replace('"keyless"', '"free"'), says: 'notes.refunds.1.ticket.kind' },
  { name: 'units that are text', text: kept.replace('"units":3', '"units":"3"'), says: 'notes.refunds.1.ticket.units' },
])('a file that is not what was kept is named, and left as it is: $name', ({ text, says }) => {
  const file = newPath()
  writeFileSync(file, text)
  expect(() => new PendingFile(file).take()).toThrow(`PENDING_FILE ${file}: `)
  expect(() => new PendingFile(file).take()).toThrow(`${says}; correct it, or move it away`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})
