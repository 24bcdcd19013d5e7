import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { bytesOnDisk, startServer } from '../support/server.ts'

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })

/**
 * The library of Debian's `faketime` that shifts clocks. The program itself would be a process between the test and the
 * server.
 */
const LIBRARY = execFileSync('faketime', ['now', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()

/** Starts a server with a clock that starts at this instant, UTC. */
function startAt(instant: string, folder?: string) {
  const env = { TZ: 'UTC', LD_PRELOAD: LIBRARY, FAKETIME: `@${instant}` }
  return startServer({ env, ...(folder ? { folder } : {}) })
}

describe('3.2 the start of a new month or day, UTC', () => {
  test('monthly units reset on the first, 00:00 UTC', async () => {
    const before = await startAt('2027-01-31 23:30:00')
    const { token } = await before.key('month@example.com', 'free')
    for (let call = 0; call < 5; call++) await before.call({ token, body: lines(200) })
    expect((await before.call({ token, body: lines(1) })).json).toMatchObject({
      used: 1_000,
      resets: '2027-02-01T00:00:00.000Z',
    })
    await before.stop()
    const after = await startAt('2027-02-01 00:00:01', before.folder)
    expect((await after.call({ token, body: lines(200) })).status).toBe(200)
    await after.stop()
  })

  test('monthly units also reset in a running server', async () => {
    const clock = join(await mkdtemp(join(tmpdir(), 'keepfirst-clock-')), 'now')
    await writeFile(clock, '@2027-03-31 12:00:00')
    // The wall clock is read from the file, once a second; the monotonic clock is unaffected.
    const env = { FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const server = await startServer({ env: { TZ: 'UTC', LD_PRELOAD: LIBRARY, ...env } })
    const { token } = await server.key('running@example.com', 'free')
    for (let call = 0; call < 5; call++) await server.call({ token, body: lines(200) })
    const status = async () => (await server.call({ token, body: lines(1) })).status
    expect(await status()).toBe(429)
    await writeFile(clock, '@2027-03-31 23:59:50')
    await expect.poll(status, { interval: 500 }).toBe(200)
    await server.stop()
  })

  test('a keyless budget survives a restart and resets on the next day, and the previous day’s hashes are deleted', async () => {
    const today = await startAt('2027-05-10 12:00:00')
    expect((await today.call({ body: lines(500) })).status).toBe(200)
    await today.stop()
    const [hash = ''] = await keylessClients(today.folder)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const later = await startAt('2027-05-10 13:00:00', today.folder)
    expect((await later.call({ body: lines(1) })).status).toBe(429)
    await later.stop()
    expect((await bytesOnDisk(today.folder)).toString('latin1')).toContain(hash)
    const night = await startAt('2027-05-11 01:00:05', today.folder)
    await night.stop()
    expect((await bytesOnDisk(today.folder)).toString('latin1')).not.toContain(hash)
    const tomorrow = await startAt('2027-05-11 01:01:00', today.folder)
    expect((await tomorrow.call({ body: lines(500) })).status).toBe(200)
    await tomorrow.stop()
  })
})

/** The hashes of network addresses in the database of a stopped server. */
async function keylessClients(folder: string): Promise<string[]> {
  const { store, kysely } = await openDatabase(`sqlite:${join(folder, 'keepfirst.db')}`, randomBytes)
  const rows = await kysely.selectFrom('keyless_days').select('client').execute()
  await store.close()
  return rows.map(({ client }) => client)
}
