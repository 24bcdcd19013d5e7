import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { memberOf, newPerson, type Person, textOf, visit } from '../support/person.ts'
import type { RunningServer } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

/** More than one page of the report, and more than the page for keys shows. */
const CALLS = 2_500

/** The statuses of the calls, repeatedly: most answered, some refused, few failed, one open. */
const STATUSES = [200, 200, 200, 429, 400, 200, 503, 200, null, 200]

describeOnEachStore('the usage of an account', (server) => {
  let person: Person
  let keys: { id: string; name: string; token: string }[]
  beforeAll(async () => {
    person = await newPerson(server())
    await server().operator.setPlan(person.email, 'starter')
    keys = await Promise.all(['first', '=second'].map((name) => createKey(server(), person.cookie, name)))
    await writeCalls(
      server(),
      person.email,
      keys.map(({ id }) => id),
    )
  })

  const get = (path: string) => visit(server(), path, { cookie: person.cookie })
  const lines = async (path: string) => (await get(path)).text.trimEnd().split('\r\n')

  test('can be downloaded for a whole month, oldest first', async () => {
    const [head, ...calls] = await lines('/app/account/calls.csv')
    expect(head).toBe('at,keyName,keyPrefix,mode,rows,removed,units,status,durationMs')
    expect(calls).toHaveLength(CALLS)
    const instants = calls.map((line) => line.slice(0, 24))
    expect(instants).toEqual(instants.toSorted())
  })

  test.each([
    { status: 'answered', calls: 1_500 },
    { status: 'refused', calls: 500 },
    { status: 'failed', calls: 250 },
    { status: 'open', calls: 250 },
    { status: '429', calls: 250 },
    { status: '404', calls: 0 },
  ])('can be filtered by the status $status, in the file and on the page', async ({ status, calls }) => {
    expect(await lines(`/app/account/calls.csv?status=${status}`)).toHaveLength(1 + calls)
    const page = (await get(`/app/account/calls?status=${status}`)).json
    expect(memberOf(page, 'calls')).toHaveLength(Math.min(500, calls))
    expect(memberOf(page, 'more')).toBe(calls > 500)
  })

  test('can be filtered by a key, but not by a key of another account', async () => {
    const [first] = keys
    expect(await lines(`/app/account/calls.csv?key=${first?.id}`)).toHaveLength(1 + CALLS / 2)
    expect(await lines(`/app/account/calls.csv?key=${first?.id}&status=refused`)).toHaveLength(1 + 250)
    const other = await newPerson(server())
    const theirs = await createKey(server(), other.cookie, 'theirs')
    expect(await lines(`/app/account/calls.csv?key=${theirs.id}`)).toHaveLength(1)
    const answer = await visit(server(), `/app/account/calls?key=${first?.id}`, { cookie: other.cookie })
    expect(answer.json).toEqual({ calls: [], more: false })
  })

  test('is shown newest first on the page', async () => {
    const calls = memberOf((await get('/app/account/calls')).json, 'calls')
    if (!Array.isArray(calls)) throw new Error('no calls')
    const instants = calls.map((call) => textOf(call, 'at'))
    expect(instants).toEqual(instants.toSorted().toReversed())
  })

  test.each(['status=good', 'status=99', 'status=', 'month=2026-13', 'key='])(
    'the query %s is invalid',
    async (query) => {
      for (const path of ['calls', 'calls.csv'])
        expect(await get(`/app/account/${path}?${query}`)).toMatchObject({
          status: 400,
          json: { error: 'invalid input' },
        })
    },
  )

  test('is summed by key, and over the last thirty days', async () => {
    const { json } = await get('/app/account/usage')
    expect(memberOf(json, 'keys')).toEqual(
      [...keys].reverse().map(({ id, name, token }) => ({
        keyId: id,
        name,
        prefix: token.slice(0, 12),
        calls: 1_000,
        refused: 250,
        units: name === 'first' ? 1_750 : 2_625,
      })),
    )
    expect(memberOf(json, 'lastDays')).toEqual({ calls: 2_000, units: 4_375 })
  })

  describe('the export of all stored data', () => {
    test('has the account, its keys, sessions and all calls, but no hashes', async () => {
      const file = await get('/app/account/export')
      expect(file.headers['content-disposition']).toBe('attachment; filename="keepfirst-account.json"')
      const { json } = file
      expect(memberOf(json, 'account')).toMatchObject({
        email: person.email,
        plan: 'starter',
        madeBy: 'sign-up',
        claimedAt: null,
      })
      expect(memberOf(json, 'sessions')).toEqual([{ begun: expect.any(String), ends: expect.any(String) }])
      // Keys of the same millisecond have no order.
      const theirs = keys.map(({ id, name }) => expect.objectContaining({ id, name, madeBy: 'sign-up' }))
      expect(memberOf(json, 'keys')).toHaveLength(theirs.length)
      expect(memberOf(json, 'keys')).toEqual(expect.arrayContaining(theirs))
      const months = memberOf(json, 'months')
      if (!Array.isArray(months)) throw new Error('no months')
      expect(months.flatMap((month) => memberOf(month, 'calls'))).toHaveLength(CALLS)
      expect(file.text).not.toMatch(/hash|password/i)
      for (const { token } of keys) expect(file.text).not.toContain(token)
    })

    test('is the same as from the command of the operator', async () => {
      const fromCommand = JSON.parse((await server().cli('accounts', 'export', person.email)).stdout)
      const fromPage = (await get('/app/account/export')).json
      expect({ ...fromCommand, exportedAt: '' }).toEqual({ ...Object(fromPage), exportedAt: '' })
    })
  })
})

async function createKey(server: RunningServer, cookie: string, name: string) {
  const { json } = await visit(server, '/app/account/keys', { cookie, body: { name } })
  return { id: textOf(memberOf(json, 'key'), 'id'), name, token: textOf(json, 'token') }
}

/** Writes events for today as the ledger would, alternating between the keys, one per millisecond. */
async function writeCalls(server: RunningServer, email: string, keyIds: readonly string[]): Promise<void> {
  const { store, kysely } = await openDatabase(server.databaseUrl, randomBytes)
  const account = await store.findAccount(email)
  const start = Math.floor(Date.now() / 86_400_000) * 86_400_000
  const rows = Array.from({ length: CALLS }, (_, i) => {
    const status = STATUSES[Math.floor(i / 2) % STATUSES.length] ?? null
    const key = i % keyIds.length
    return {
      account_id: account?.id ?? '',
      key_id: keyIds[key] ?? '',
      at: start + i,
      mode: 'lines' as const,
      rows: 1,
      removed: status === 200 ? 0 : null,
      units: status === null || status === 200 ? 2 + key : 0,
      status,
      duration_ms: 1,
    }
  })
  for (let i = 0; i < rows.length; i += 500)
    await kysely
      .insertInto('usage_events')
      .values(rows.slice(i, i + 500))
      .execute()
  await store.close()
}
