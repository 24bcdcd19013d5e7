import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { startServer } from '../support/server.ts'

/* A disk of a few megabytes that really fills up: a file system in memory, which only root may mount. */

const disk = mkdtempSync(join(tmpdir(), 'keepfirst-disk-'))
const isMounted = mount()
afterEach(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true, force: true })
})

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Takes the last block. */
function fill(): void {
  try {
    for (;;) appendFileSync(join(disk, 'filler'), Buffer.alloc(4_096))
  } catch {}
}
const makeRoom = () => rmSync(join(disk, 'filler'))

test.skipIf(!isMounted)('on a full disk nothing is charged; refunds of before wait, through a stop too', async () => {
  const folder = join(disk, 'data')
  mkdirSync(folder)
  const at = {
    databaseUrl: `sqlite:${folder}/keepfirst.db`,
    env: { PENDING_FILE: `${disk}-pending`, FUZZY_SECONDS: '5' },
  }
  let server = await startServer(at)
  const { token } = await server.key('full@example.com')
  const call = (credentials: { token?: string } = {}) =>
    server.call({ ...credentials, body: { mode: 'lines', data: 'a' } })
  expect((await call({ token })).status).toBe(200)

  // A call that is admitted before the disk is full and fails afterwards.
  const long = server.call({ token, body: longFuzzyBody() })
  await expect.poll(() => isAnyOpen(at.databaseUrl)).toBe(true)
  fill()

  for (const credentials of [{ token }, {}]) {
    expect(await call(credentials)).toMatchObject({
      status: 503,
      json: { error: 'usage cannot be recorded at the moment; try again later' },
    })
  }
  expect((await server.call({ method: 'GET', path: '/readyz' })).status).toBe(503)
  expect((await long).status).toBe(503)
  await server.stop()
  expect(existsSync(`${disk}-pending`)).toBe(true)

  makeRoom()
  server = await startServer({ ...at, folder: server.folder })
  const events = await server.events('full@example.com')
  expect(events.map(({ units, status }) => [units, status])).toEqual([
    [1, 200],
    [0, 503],
    [0, 503],
  ])
  expect((await server.cli('usage', '--verify')).code).toBe(0)
  expect((await call({ token })).status).toBe(200)
  expect(existsSync(`${disk}-pending`)).toBe(false)
  await server.stop()
})

async function isAnyOpen(databaseUrl: string): Promise<boolean> {
  const { store } = await openDatabase(databaseUrl, randomBytes)
  const events = await store.newestEvents({ month: new Date().toISOString().slice(0, 7), status: 'open', limit: 1 })
  await store.close()
  return events.length > 0
}

/** Endless fuzzy work: random letters at the lowest threshold, where no pair can be ruled out without comparing it. */
function longFuzzyBody(): unknown {
  let state = 7
  const letter = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return 'abcdefgh'[state >>> 29] ?? 'a'
  }
  const rows = Array.from({ length: 45_000 }, () => Array.from({ length: 90 }, letter).join(''))
  return { mode: 'rows', data: rows.join('\n'), options: { fuzzy: true, threshold: 0.5, hasHeader: false } }
}
