import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { longFuzzyBody } from '../support/overload.ts'
import { startServer } from '../support/server.ts'

/* Fills up a disk of a few megabytes. It is a file system in memory, which only root may mount. */

const disk = mkdtempSync(join(tmpdir(), 'keepfirst-disk-'))
afterAll(() => rmSync(disk, { recursive: true, force: true }))

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk], { stdio: 'ignore' })
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
    return true
  } catch {
    return false
  }
}

/** Uses up all free space. */
function fill(): void {
  try {
    for (;;) appendFileSync(join(disk, 'filler'), Buffer.alloc(4_096))
  } catch {}
}
const freeSpace = () => rmSync(join(disk, 'filler'))

test('on a full disk, nothing is charged, and refunds of earlier calls wait, even during a restart', async ({
  skip,
}) => {
  skip(!mount(), 'file systems cannot be mounted here')
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

  // A call that is admitted before the disk is full, and fails afterwards.
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

  freeSpace()
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
